# What check-api.sh and check-documentation.sh need to read the modules of the last debug build. They source this file
# after they have set $build, the folder of the build, and $programs, those of the toolchain, and defined fail.
#
# Sets $target and $products, and replaces the arguments with the compiler's options for imported C modules.

command -v swift >/dev/null 2>&1 || fail "swift is not on PATH"
# `swift` can be a link to a program of the toolchain.
PATH=$PATH:$(dirname -- "$(readlink -f "$(command -v swift)")")
for program in $programs; do
    command -v "$program" >/dev/null 2>&1 ||
        fail "$program is not on PATH; it is in the folder of the toolchain's programs"
done
[ -d "$build/Modules" ] || fail "$build contains no modules; build them first: swift build"
target=$(swift -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p')
[ -n "$target" ] || fail "'swift -print-target-info' names no target"

# In the manifest, a product follows the products that it depends on.
products=$(sed -n 's/.*\.library(name: "\([A-Za-z]*\)".*/\1/p' Package.swift)
[ -n "$products" ] || fail "Package.swift contains no library product that could be parsed"

# The folders of C modules, which Swift modules import.
set --
for map in "$build"/*.build/module.modulemap "$build"/../../checkouts/*/Sources/*/include/module.modulemap \
    "$build"/../../checkouts/*/Sources/*/module.modulemap Sources/*/*/module.modulemap; do
    [ ! -f "$map" ] || set -- "$@" -I "${map%/*}"
done

# The headers of libpq, which a build with PostgreSQL includes.
headers=$(pkg-config --variable=includedir libpq 2>/dev/null || echo /usr/include/postgresql)
[ ! -d "$headers" ] || set -- "$@" -I "$headers"
