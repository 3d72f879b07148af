/// What the tool's exit code says. Documented in docs/tool.md.
enum ToolStatus: Int32, Hashable, Sendable {
    /// Done, and everything came out as it must.
    case success = 0
    /// Done, and something did not come out as it must: a step of the demo.
    case failure = 1
    /// The input cannot be used: a missing file, garbage, an unknown host, a port that is taken.
    case unusableInput = 2
    /// There is no verdict on a server: it is not there, or does not get as far as its certificate. `probe` alone says so.
    case unreachable = 3
    /// The command line is wrong (`EX_USAGE` of sysexits.h).
    case usage = 64
}
