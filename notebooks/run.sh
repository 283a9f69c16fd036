#!/usr/bin/env bash
# Executes the Go notebooks of this folder from top to bottom, without a screen,
# and fails if a cell does.
#
#   notebooks/run.sh [NOTEBOOK...]     all of them where none is named
#
#   --output DIR      keep the executed notebooks there
#   --strip           only remove outputs from the notebooks, before a commit
#   --skip-missing    where Jupyter's client is missing and cannot be installed:
#                     say so and succeed, instead of failing
#
# The kernel (gonb) is built from this folder's go.mod. The client that drives it
# is python3-nbclient of the distribution, which is installed if it is missing,
# apt-get is there and the user is root. Everything else happens in a temporary
# directory: neither the checkout nor Jupyter's own folders are written to.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
strip=false skip=false output=""
notebooks=()
while [ $# -gt 0 ]; do
	case $1 in
	--strip) strip=true ;;
	--skip-missing) skip=true ;;
	--output)
		[ $# -ge 2 ] || { echo "run.sh: --output needs a directory" >&2; exit 2; }
		mkdir -p "$2"
		output=$(cd "$2" && pwd)
		shift
		;;
	-*)
		echo "run.sh: unknown option $1" >&2
		sed -n '2,/^set /s/^# \{0,1\}//p' "$0" >&2
		exit 2
		;;
	*) notebooks+=("$1") ;;
	esac
	shift
done
if [ ${#notebooks[@]} -eq 0 ]; then
	notebooks=("$here"/*.ipynb)
fi

command -v go >/dev/null || { echo "run.sh: go is missing; see https://go.dev/doc/install" >&2; exit 1; }
command -v python3 >/dev/null || { echo "run.sh: python3 is missing" >&2; exit 1; }

if $strip; then
	exec python3 "$here/execute.py" strip "${notebooks[@]}"
fi
python3 "$here/execute.py" check "${notebooks[@]}"

# client prints the first Python that has Jupyter's client.
client() {
	local p
	for p in python3 /usr/bin/python3; do
		if command -v "$p" >/dev/null && "$p" -c 'import nbclient, nbformat' 2>/dev/null; then
			command -v "$p"
			return
		fi
	done
	return 1
}

temp=$(mktemp -d)
trap 'chmod -R u+w "$temp"; rm -rf "$temp"' EXIT

if ! python=$(client); then
	reason=""
	if ! command -v apt-get >/dev/null; then
		reason="there is no apt-get here"
	elif [ "$(id -u)" -ne 0 ]; then
		reason="installing it needs root"
	elif ! (export DEBIAN_FRONTEND=noninteractive
		apt-get update && apt-get install -y --no-install-recommends python3-nbclient) >"$temp/apt.log" 2>&1; then
		tail -n 5 "$temp/apt.log" >&2
		reason="apt-get could not install it"
	elif ! python=$(client); then
		reason="python3-nbclient was installed, but no Python finds it"
	fi
	if [ -n "$reason" ]; then
		echo "run.sh: Jupyter's client (the Python packages nbclient and nbformat) is missing, and $reason" >&2
		if $skip; then
			echo "skipped: ${#notebooks[@]} notebooks (--skip-missing)"
			exit 0
		fi
		echo "run.sh: install it with your distribution (python3-nbclient) or with pip, or pass --skip-missing" >&2
		exit 1
	fi
fi

# The kernel and goimports, which it calls, at the versions of go.mod. A copy of
# go.mod takes what the root's newer requirements may add.
cp "$here/go.mod" "$here/go.sum" "$temp/"
mkdir -p "$temp/bin" "$temp/tmp" "$temp/jupyter"
(cd "$here" && go build -mod=mod -modfile="$temp/go.mod" -o "$temp/bin/" \
	github.com/janpfeifer/gonb golang.org/x/tools/cmd/goimports)
# What cells import is compiled beforehand, so that no cell has to wait for it.
(cd "$here" && go build -mod=mod -modfile="$temp/go.mod" ./...)

export PATH="$temp/bin:$PATH" TMPDIR="$temp/tmp"
export JUPYTER_PATH="$temp/jupyter" JUPYTER_DATA_DIR="$temp/jupyter"
export JUPYTER_RUNTIME_DIR="$temp/jupyter/runtime" JUPYTER_CONFIG_DIR="$temp/jupyter/config"
export JUPYTER_NO_CONFIG=1 PYTHONDONTWRITEBYTECODE=1 PYTHONWARNINGS=ignore
gonb --install --force_deps --raw_error --stderrthreshold=FATAL --logtostderr=false --log_dir="$temp/tmp" \
	>"$temp/install.log" 2>&1 || { cat "$temp/install.log" >&2; exit 1; }

run=("$python" "$here/execute.py" run)
if [ -n "$output" ]; then
	run+=(-o "$output")
fi
"${run[@]}" "${notebooks[@]}"
