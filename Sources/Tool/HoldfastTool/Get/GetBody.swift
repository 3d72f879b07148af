import Dispatch
import HoldfastBase
import HoldfastSystem
import HoldfastTransport

/// The body of a request: text, a file, or a pipe.
struct GetBody: Sendable {
    /// Where the body comes from.
    enum Source: Hashable, Sendable {
        case text(String)
        case file(String)
        case standardInput
    }

    /// The number of bytes per read of a pipe.
    private static let chunk = 64 * 1024

    let source: Source

    /// Takes the values of `--data` and `--data-file`; `nil` if neither was given. `--data @FILE` is the same as
    /// `--data-file FILE`, and `-` is standard input.
    init?(data: String?, file: String?) {
        var path = file
        if let data {
            guard data.first == "@" else {
                source = .text(data)
                return
            }
            path = String(data.dropFirst())
        }
        guard let path else { return nil }
        source = path == "-" ? .standardInput : .file(path)
    }

    /// Returns the body of a request. Only text and regular files have a known length and can be sent again after a
    /// redirect. Throws one sentence if a file cannot be opened.
    func body(reading input: @escaping @Sendable (Int) throws -> [UInt8]) throws(ToolError) -> HTTPBody {
        switch source {
        case .text(let text):
            return .bytes(Array(text.utf8))
        case .standardInput:
            return Self.stream { queue in
                return {
                    try await BlockingRead.run(on: queue) {
                        do {
                            return try input(Self.chunk)
                        } catch {
                            throw ToolError(describing: error).inside("standard input")
                        }
                    }
                }
            }
        case .file(let path):
            let identity = FileIdentity(path: path)
            guard identity?.isDirectory != true else {
                throw ToolError("'\(Printable.text(path))' is a folder, not a file")
            }
            guard identity?.isRegularFile == false else {
                // Opening a pipe could wait for its writer; opening a regular file does not.
                _ = try InputFile(path: path)
                return .file(path: path)
            }
            return Self.stream { queue in
                let pipe = try await BlockingRead.run(on: queue) { try InputFile(path: path) }
                return { try await BlockingRead.run(on: queue) { try pipe.read(upTo: Self.chunk) } }
            }
        }
    }

    /// Returns a body without a known length. `open` returns the function that reads the next part, which is empty at
    /// the end.
    private static func stream(
        _ open: @escaping @Sendable (DispatchQueue) async throws -> @Sendable () async throws -> [UInt8]
    ) -> HTTPBody {
        .stream(length: nil) { writer in
            let next = try await open(DispatchQueue(label: "holdfast.body"))
            while true {
                let part = try await next()
                if part.isEmpty { return }
                try await writer.write(part)
            }
        }
    }
}
