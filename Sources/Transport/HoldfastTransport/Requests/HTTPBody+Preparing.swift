extension HTTPBody {
    /// Opens the body and determines its length.
    func prepare() async throws(TransportError) -> PreparedBody {
        switch source {
        case .bytes(let bytes):
            return .bytes(bytes)
        case .stream(let length, _):
            guard length ?? 0 >= 0 else {
                throw TransportError(.invalidRequest, in: .preparing, "The length of the body is negative.")
            }
            return .stream(length: length)
        case .opened(let file, let range):
            return .file(file, range)
        case .file(let path, let range):
            let file = try await FileReader.opened(path: path)
            let range = range ?? 0..<file.size
            guard range.lowerBound >= 0, range.upperBound <= file.size else {
                throw TransportError(
                    .bodyFailed, in: .preparing,
                    "The file has \(file.size) bytes; the range is \(range.lowerBound) to \(range.upperBound)."
                )
            }
            return .file(file, range)
        }
    }
}
