package datasets

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ident/datasets/internal/sqlite"
	"ident/internal/hint"
)

// A ROS 2 bag is a folder of storage files, in MCAP or in SQLite, and a description, metadata.yaml. The
// SQLite storage has a table topics(id, name, type, serialization_format, …) and a table messages(id,
// topic_id, timestamp, data). A recording split into several files is one log.

// readBag2 collects the joint states of an SQLite storage file; path is "" where f has none.
func readBag2(r *recorder, f io.ReaderAt, size int64, path string) error {
	db, err := sqlite.Open(f, size, maxDecoded(size))
	if err != nil {
		return sqliteError(err)
	}
	at, err := bag2Columns(db, "topics", "id", "name", "type", "serialization_format")
	if err != nil {
		return err
	}
	topics := map[int64]*topic{}
	err = db.Scan("topics", func(row []sqlite.Value) error {
		t, err := r.topic(row[at[1]].Text(), row[at[2]].Text(), row[at[3]].Text())
		topics[row[at[0]].Int()] = t
		return err
	})
	if err != nil {
		return sqliteError(err)
	}
	if at, err = bag2Columns(db, "messages", "topic_id", "timestamp", "data"); err != nil {
		return err
	}
	rows := 0
	err = db.Scan("messages", func(row []sqlite.Value) error {
		rows++
		t := topics[row[at[0]].Int()]
		if t == nil {
			return fmt.Errorf("%w: message %d is of topic %d, which is not in the table of topics", ErrDamaged, rows, row[at[0]].Int())
		}
		return r.message(t, row[at[1]].Int(), row[at[2]].Bytes(), 0)
	})
	if err == nil && path != "" {
		// The last messages may still be in the write-ahead log beside the file.
		if info, e := os.Stat(path + "-wal"); e == nil && info.Size() > 0 {
			err = &DropError{hint.Errorf("on-bad", "drop", "%w: its last messages are still in %s; sqlite3 %s 'PRAGMA wal_checkpoint' brings them in, {on-bad} drop does without",
				ErrTruncated, filepath.Base(path)+"-wal", filepath.Base(path))}
		}
	}
	return sqliteError(err)
}

// bag2Columns finds the columns of a table.
func bag2Columns(db *sqlite.File, table string, names ...string) ([]int, error) {
	have := db.Columns(table)
	at := make([]int, len(names))
	for i, n := range names {
		if at[i] = slices.Index(have, n); at[i] < 0 {
			return nil, fmt.Errorf("%w: a ROS 2 bag has a table %s with a column %s, but this database does not", ErrFormat, table, n)
		}
	}
	return at, nil
}

// sqliteError makes the database's errors match those of this package.
func sqliteError(err error) error {
	switch {
	case errors.Is(err, sqlite.ErrNotSQLite):
		return fmt.Errorf("%w: %w", ErrFormat, err)
	case errors.Is(err, sqlite.ErrDamaged):
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: %w", ErrTruncated, err)
	}
	return err
}

// openFolder opens a ROS 2 bag.
func openFolder(path string, opt Options) (*Log, error) {
	files, err := bagFiles(path)
	if err != nil {
		return nil, err
	}
	t, err := openRecording(path, files, opt)
	if err != nil {
		return nil, err
	}
	t.path, t.name = path, filepath.Base(filepath.Clean(path))
	return &Log{table: t, last: t.rows}, nil
}

// bagFiles lists a bag's storage files by their numbers: bag_2.mcap before bag_10.mcap.
func bagFiles(path string) ([]string, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		switch ext := filepath.Ext(e.Name()); {
		case ext == ".mcap" || ext == ".db3":
			files = append(files, filepath.Join(path, e.Name()))
		case ext == ".zstd" && strings.HasPrefix(filepath.Ext(strings.TrimSuffix(e.Name(), ext)), "."):
			return nil, &FileError{Path: filepath.Join(path, e.Name()), Err: fmt.Errorf("%w: a storage file compressed as a whole; zstd -d %s first", ErrFormat, e.Name())}
		}
	}
	if filepath.Ext(path) == ".zarr" {
		_, err := formatOf(path)
		return nil, err
	}
	if len(files) == 0 {
		return nil, &FileError{Path: path, Err: fmt.Errorf("%w: the folder is no ROS 2 bag, it holds neither .mcap nor .db3 files; name the log itself", ErrFormat)}
	}
	slices.SortFunc(files, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	return files, nil
}
