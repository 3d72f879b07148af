/// A root certificate, a file or a folder of the machine's trust store that could not be used.
public struct SkippedRoot: Hashable, Sendable, CustomStringConvertible {
    /// The file or folder.
    public var path: String
    /// The line of the file on which the certificate begins, in PEM.
    public var line: Int?
    /// What is wrong.
    public var error: CertificateError

    /// Names something that was skipped.
    public init(path: String, line: Int? = nil, error: CertificateError) {
        self.path = path
        self.line = line
        self.error = error
    }

    public var description: String {
        let place = line.map { ", line \($0)" } ?? ""
        return "\(Printable.text(path))\(place): \(error.reason)"
    }
}
