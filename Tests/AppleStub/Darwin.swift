// The C library as code for Apple platforms imports it: `scripts/check-apple.sh` compiles this into a module named Darwin. The
// functions are those of the C library of this machine, whose types differ in places. Members that only Apple's library has
// are added as far as Holdfast uses them. Nothing here is ever run.

@_exported import Glibc  // reason: a stub of Darwin stands for the whole C library

extension stat {
    public var st_mtimespec: timespec { st_mtim }
}
