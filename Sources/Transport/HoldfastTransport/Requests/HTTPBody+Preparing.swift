extension HTTPBody {
    /// Opens and measures the body.
    func prepare() async throws(TransportError) -> PreparedBody {
        switch source {
        case .bytes(let bytes):
            return .bytes(bytes)
        case .stream(let length, _):
            guard length ?? 0 >= 0 else {
                throw TransportError(.invalidRequest, in: .preparing, "A body's length is not negative.")
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
                    "The file has \(file.size) bytes; those from \(range.lowerBound) to \(range.upperBound) are wanted."
                )
            }
            return .file(file, range)
        }
    }
}
