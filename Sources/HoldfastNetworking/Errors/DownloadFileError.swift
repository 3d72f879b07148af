/// The file of a download cannot be written.
public struct DownloadFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was being done.
    public enum Step: String, Hashable, Sendable {
        case create
        case write
        case flush
        case rename
    }

    /// What was being done.
    public var step: Step
    /// The number of the system's error.
    public var errno: Int32

    /// Makes the error.
    public init(step: Step, errno: Int32) {
        self.step = step
        self.errno = errno
    }

    public var description: String { "The file of the download cannot be written (\(step.rawValue), error \(errno))." }
}
