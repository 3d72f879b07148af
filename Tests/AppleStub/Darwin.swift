// The C library as code for Apple platforms imports it: `scripts/check-apple.sh` compiles this into a module named
// Darwin. The functions are those of the C library of this machine, whose types differ in places. Members that only
// Apple's library has are added as far as Holdfast uses them. Nothing here is ever run.

@_exported import CDispatch  // reason: some structures come from its header
@_exported import Glibc  // reason: a stub of Darwin stands for the whole C library

extension stat {
    public var st_mtimespec: timespec { st_mtim }
}

/// An enumeration of its own in Glibc.
public let SOCK_STREAM: Int32 = 1

extension sigaction {
    public var __sigaction_u: (__sa_handler: (@convention(c) (Int32) -> Void)?, __sa_sigaction: Int) {
        (__sigaction_handler.sa_handler, 0)
    }
}
