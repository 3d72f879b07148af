#!/bin/sh
# Runs the tests of the chat page and the operator desk in a real browser: Tests/Browser.
#
#   scripts/test-browser.sh [--required | --installed] [HOLDFAST] [options of Tests/Browser/run.py]
#   scripts/test-browser.sh --speed [HOLDFAST] [options of speed.py]         measures the page
#   scripts/test-browser.sh --screenshots [HOLDFAST] [options of screenshots.py]   makes the pictures in docs/images
#
# HOLDFAST is the tool (default: .build/debug/holdfast). The Python packages are installed into .build-browser; with
# --installed, they are only used if they are there. Without a browser or the packages, the tests are skipped, and the
# script says how to get them; with --required, this is an error.
set -eu
cd "$(dirname "$0")/.."

required=
installed=
program=run.py
while :; do
    case ${1-} in
        --required) required=1 ;;
        --installed) installed=1 ;;
        --speed) program=speed.py ;;
        --screenshots) program=screenshots.py ;;
        *) break ;;
    esac
    shift
done
case ${1-} in
    '' | -*) holdfast=.build/debug/holdfast ;;
    *)
        holdfast=$1
        shift
        ;;
esac

# Ends the script: with an error if the tests are required.
skip() {
    echo "browser tests: skipped, because $1."
    echo "  To get it: $2"
    [ -z "$required" ] || exit 1
    exit 0
}

[ -x "$holdfast" ] || skip "the tool '$holdfast' does not exist" "swift build --product holdfast"

chromium=${HOLDFAST_CHROMIUM-}
if [ -z "$chromium" ]; then
    for name in chromium chromium-browser google-chrome; do
        chromium=$(command -v "$name") && break || chromium=
    done
fi
[ -n "$chromium" ] && [ -x "$chromium" ] || skip "chromium is not installed" "apt-get install chromium"

# A virtual environment for the packages.
folder=.build-browser
python=$folder/venv/bin/python
stamp=$folder/venv/requirements.txt
if ! [ -x "$python" ] || ! cmp -s Tests/Browser/requirements.txt "$stamp"; then
    [ -z "$installed" ] || skip "its Python packages are not installed" "scripts/test-browser.sh"
    base=${HOLDFAST_PYTHON:-$(command -v python3 || true)}
    [ -n "$base" ] || skip "python3 is not installed" "apt-get install python3 python3-venv"
    "$base" -c 'import ensurepip, venv' 2>/dev/null || skip "python3-venv is not installed" "apt-get install python3-venv"
    echo "browser tests: installing the packages of Tests/Browser/requirements.txt into $folder/venv" >&2
    rm -rf "$folder/venv"
    mkdir -p "$folder"
    said=$folder/install.log
    if ! { "$base" -m venv "$folder/venv" && "$python" -m pip install --quiet --disable-pip-version-check --no-input \
        --requirement Tests/Browser/requirements.txt; } >"$said" 2>&1; then
        rm -rf "$folder/venv"
        tail -n 3 "$said" >&2
        skip "the Python packages cannot be installed" "$base -m venv $folder/venv &&
    $python -m pip install -r Tests/Browser/requirements.txt"
    fi
    cp Tests/Browser/requirements.txt "$stamp"
fi

PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
exec "$python" "Tests/Browser/$program" --holdfast "$holdfast" --chromium "$chromium" "$@"
