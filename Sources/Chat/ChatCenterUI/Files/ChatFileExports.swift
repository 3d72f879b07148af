import Foundation

/// Copies of files that another app or a preview reads. The copies are not encrypted and are deleted after use.
struct ChatFileExports: Sendable {
    private let folder: URL
    private var copies: [URL] = []

    /// Creates an empty set of copies.
    ///
    /// - Parameters:
    ///   - folder: The folder for temporary files.
    ///   - name: The name of the folder for this set.
    init(in folder: URL = FileManager.default.temporaryDirectory, name: String) {
        self.folder = folder.appendingPathComponent("chat-\(name)", isDirectory: true)
    }

    /// Returns the name of a copy: the sender's file name without folders, and not hidden.
    static func name(_ name: String) -> String {
        let last = name.split(whereSeparator: { "/\\:".contains($0) }).last.map(String.init) ?? ""
        // The end of the name stays, because it says the type. File systems limit a name to 255 bytes.
        var short = ChatPlainText.line(String(last.suffix(80))).drop { $0 == "." }
        while short.utf8.count > 200 { short = short.dropFirst() }
        return short.isEmpty ? "file" : String(short)
    }

    /// Writes a copy and returns its place.
    mutating func write(_ bytes: Data, named name: String) throws -> URL {
        let own = folder.appendingPathComponent("\(copies.count)", isDirectory: true)
        try FileManager.default.createDirectory(
            at: own, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let copy = own.appendingPathComponent(Self.name(name))
        copies.append(copy)
        try bytes.write(to: copy)
        return copy
    }

    /// Deletes all copies.
    mutating func deleteAll() {
        try? FileManager.default.removeItem(at: folder)
        copies = []
    }
}
