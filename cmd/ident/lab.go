package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/laboratory"
)

func newLab(s streams) *cobra.Command {
	var address bool
	c := &cobra.Command{
		Use:   "lab FOLDER|ZIP",
		Short: "serve the browser laboratory on this computer",
		Long: `Serve the browser laboratory from its folder or from the archive ident-lab-VERSION.zip of a
release, and open it in the browser where there is one. It takes a robot file and logs, and shows
findings, fits and reports; the program runs in the page, and nothing leaves the computer. The
server is reached from this computer alone, at a free port; Ctrl-C ends it.`,
		Example: `  ident lab ident-lab.zip
  ident lab ident-lab --address`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) (err error) {
			files, done, err := laboratory.Open(args[0])
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, done()) }()
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				return fmt.Errorf("cannot serve the laboratory on this computer: %w", err)
			}
			at := fmt.Sprintf("http://%s/", listener.Addr())
			fmt.Fprintf(s.out, "%s\n", at)
			if !address && !laboratory.Browse(at) {
				s.note("no browser was found: open the address in one on this computer")
			}
			s.note("Ctrl-C ends it")
			server := &http.Server{Handler: laboratory.Handler(files), ReadTimeout: laboratory.Serving, WriteTimeout: laboratory.Serving, IdleTimeout: laboratory.Serving,
				MaxHeaderBytes: 16 << 10}
			ended := make(chan error, 1)
			go func() { ended <- server.Serve(listener) }()
			select {
			case err := <-ended:
				return fmt.Errorf("serving the laboratory: %w", err)
			case <-c.Context().Done():
			}
			return server.Close()
		},
	}
	c.Flags().BoolVar(&address, "address", false, "print the address only, and open no browser")
	return c
}
