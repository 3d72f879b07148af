import Foundation
import HoldfastTransport

/// A folder for the files of one test.
struct TransferFolder: Sendable {
    let url: URL

    /// Runs `body` with a temporary folder.
    static func with<R: Sendable>(_ body: @Sendable (TransferFolder) async throws -> R) async throws -> R {
        let folder = TransferFolder(
            url: FileManager.default.temporaryDirectory.appending(path: "holdfast-transfer-\(UUID())"))
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder.url) }
        return try await body(folder)
    }

    func path(_ name: String) -> String { url.appending(path: name).path }

    /// The destination in most tests.
    var file: String { path("file.bin") }
    /// The path of its part.
    var part: String { path(".file.bin.download") }
    /// The path of the part's record.
    var record: String { path(".file.bin.download.json") }

    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: url.appending(path: name))
        return path(name)
    }

    func bytes(_ path: String) -> [UInt8]? { FileManager.default.contents(atPath: path).map { Array($0) } }

    /// The names of all files in the folder, sorted.
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: url.path).sorted()) ?? [] }

    /// The mode of a file.
    func mode(_ path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
    }
}

/// Runs `body` and returns the transfer's error.
func transferError(_ body: () async throws -> Void) async throws -> TransferError {
    do {
        try await body()
    } catch let error as TransferError {
        return error
    }
    throw MissingError()
}
