#!/bin/sh
# Tries a release: makes it twice from the beginning, the second time from a clean clone, compares the bytes, and
# installs the Debian package on a bare Debian 12, where `holdfast demo` must pass. Runs the steps of the Containerfile
# without a container engine.
# Prints the sizes and the time that the tool needs to start. Two builds take up to half an hour.
#
#   scripts/try-package.sh [--root DIR] [--release DIR]
#
# --root DIR      a bare Debian 12, which is copied; by default, debootstrap downloads one
# --release DIR   a release of the last commit, so that only the second one is made
#
# Debian 12 needs root. Without it, only the two releases are compared. HOLDFAST_MIRROR replaces http://deb.debian.org/debian.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)

fail() {
    echo "try-package: $*" >&2
    exit 1
}

bare=
release=
while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || fail "$1 needs a folder"
    case $1 in
        --root) bare=$(CDPATH='' cd -- "$2" && pwd) ;;
        --release) release=$(CDPATH='' cd -- "$2" && pwd) ;;
        *) fail "'$1' is not an option; the options are --root DIR and --release DIR" ;;
    esac
    shift 2
done

work=${HOLDFAST_RELEASE_FOLDER:-/var/tmp/holdfast-release}
scratch=$(mktemp -d)
# A mounted /proc must not be deleted.
clean_up() {
    for folder in deb image; do
        umount "$scratch/$folder/proc" 2>/dev/null || true
    done
    if grep -q " $scratch/" /proc/mounts; then
        echo "try-package: $scratch still has mounts, and is kept" >&2
    else
        rm -rf "$scratch"
    fi
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# steps STAGE: prints the instructions of a stage of the Containerfile, one per line.
steps() {
    awk -v stage="$1" '
        line == "" && /^(#|$)/ { next }
        { line = line $0 }
        sub(/\\$/, "", line) { next }
        line ~ /^FROM / { current++ }
        current == stage && line !~ /^FROM / { print line }
        { line = "" }' "$root/Containerfile"
}

# MARK: the two releases

if [ -z "$release" ]; then
    release=$scratch/first
    rm -rf "$work/build"
    "$root/run" package --no-image --output "$release"
fi

# The first stage. The clone replaces the copy of the build context.
clean=$scratch/clean
rm -rf "$work/build"
git clone -q "$root" "$clean"
workdir=
steps 1 >"$scratch/steps"
while IFS= read -r step <&3; do
    case $step in
        "WORKDIR "*) workdir=${step#WORKDIR } ;;
        "COPY . .") ;;
        "RUN "*) (cd "$clean" && sh -c "${step#RUN }") ;;
        *) fail "the first stage has an instruction that this script does not know: $step" ;;
    esac
done 3<"$scratch/steps"
[ -f "$clean/release/SHA256SUMS" ] || fail "the first stage of the Containerfile did not make a release"

status=0
if diff -rq "$release" "$clean/release" >"$scratch/differences"; then
    echo "try-package: two builds from different clones have the same bytes"
else
    sed 's/^/try-package: /' "$scratch/differences" >&2
    echo "try-package: two builds from different clones have different bytes" >&2
    status=1
fi

# MARK: Debian 12

[ "$(id -u)" -eq 0 ] || { echo "try-package: not root, so that Debian 12 was not tried" >&2; exit "$status"; }
set -- "$release"/holdfast_*.deb
[ -f "$1" ] || { echo "try-package: the release has no Debian package, so that Debian 12 was not tried" >&2; exit "$status"; }
deb=$1
if [ -z "$bare" ]; then
    command -v debootstrap >/dev/null 2>&1 ||
        { echo "try-package: debootstrap is not installed, so that Debian 12 was not tried" >&2; exit "$status"; }
    bare=$scratch/bare
    debootstrap --variant=minbase bookworm "$bare" "${HOLDFAST_MIRROR:-http://deb.debian.org/debian}" >"$scratch/log" 2>&1 ||
        { tail -n 20 "$scratch/log" >&2; fail "debootstrap failed"; }
fi

# prepare FOLDER: copies the bare system, with this machine's name servers.
prepare() {
    cp -a "$bare" "$scratch/$1"
    cp -L /etc/resolv.conf "$scratch/$1/etc/resolv.conf"
    mkdir -p "$scratch/$1/proc"
    # The Swift runtime reads the arguments of a program from /proc.
    mount -t proc proc "$scratch/$1/proc" || fail "/proc cannot be mounted; run this script where root may mount it"
}

# inside FOLDER COMMAND: runs a command of the shell in that system.
inside() {
    chroot "$scratch/$1" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive \
        ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} sh -c "$2"
}

prepare deb
cp "$deb" "$scratch/deb/tmp/"
inside deb "apt-get update -qq && apt-get install -y -qq --no-install-recommends /tmp/${deb##*/}" >"$scratch/log" 2>&1 ||
    { tail -n 20 "$scratch/log" >&2; fail "the Debian package could not be installed"; }
inside deb 'holdfast demo' || fail "'holdfast demo' failed on a bare Debian 12"
echo "try-package: 'holdfast demo' passed on a bare Debian 12 with only the Debian package"

inside deb 'i=0
    while [ "$i" -lt 20 ]; do
        start=$(date +%s%N)
        holdfast --version >/dev/null
        echo $((($(date +%s%N) - start) / 10000))
        i=$((i + 1))
    done' | sort -n >"$scratch/times"
start=$(awk 'NR == 10 || NR == 11 { sum += $1 } END { printf "%.1f", sum / 200 }' "$scratch/times")
echo "try-package: size of the Debian package: $(wc -c <"$deb" | tr -d ' ') bytes"
echo "try-package: size of the tool: $(wc -c <"$scratch/deb/usr/bin/holdfast" | tr -d ' ') bytes"
echo "try-package: time of 'holdfast --version', median of 20: $start ms"

# MARK: the second stage

prepare image
user=root
steps 2 >"$scratch/steps"
while IFS= read -r step <&3; do
    case $step in
        "RUN "*)
            inside image "${step#RUN }" >"$scratch/log" 2>&1 ||
                { tail -n 20 "$scratch/log" >&2; fail "this step of the Containerfile failed: $step"; }
            ;;
        "COPY --from=build $workdir/"*" /"*)
            from=${step#"COPY --from=build $workdir/"}
            # shellcheck disable=SC2086
            (cd "$clean" && cp -R ${from%% *} "$scratch/image${from#* }")
            ;;
        "USER "*) user=${step#USER } ;;
        "LABEL "* | "WORKDIR "* | 'ENTRYPOINT ["holdfast"]' | "CMD "*) ;;
        *) fail "the second stage has an instruction that this script does not know: $step" ;;
    esac
done 3<"$scratch/steps"
[ "$user" != root ] || fail "the image of the Containerfile runs the tool as root"
inside image "exec setpriv --reuid=$user --regid=$user --init-groups env HOME=/home/$user holdfast demo" >"$scratch/log" 2>&1 ||
    { tail -n 40 "$scratch/log" >&2; fail "'holdfast demo' failed in the image of the Containerfile"; }
echo "try-package: 'holdfast demo' passed in the image of the Containerfile, as the user $user"
exit "$status"
