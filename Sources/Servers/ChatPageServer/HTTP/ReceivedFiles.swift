import Foundation
import HTTPTypes
import NIOCore
import _NIOFileSystem

/// A private folder for files that are being received. Nothing from a browser becomes part of a path.
struct ReceivedFiles: Sendable {
    /// A received file.
    struct File: Hashable, Sendable {
        /// The path, with a random name.
        var path: String
        /// The name that the browser sent, for display.
        var name: String
        /// The media type; syntactically valid.
        var type: String
        /// The number of bytes.
        var size: Int64
    }

    private let folder: FilePath

    /// Creates a temporary folder that only its owner can read.
    static func open() async throws -> ReceivedFiles {
        let fileSystem = FileSystem.shared
        let path = try await fileSystem.createTemporaryDirectory(
            template: fileSystem.temporaryDirectory.appending("holdfast-page-XXXXXX"))
        return ReceivedFiles(folder: path)
    }

    private init(folder: FilePath) {
        self.folder = folder
    }

    /// Removes the folder.
    func close() async {
        // The system cleans up what cannot be removed.
        _ = try? await FileSystem.shared.removeItem(at: folder, strategy: .platformDefault, recursively: true)
    }

    /// Writes a file from chunks until `next` returns `nil`. Throws ``PageFailure/tooLarge`` beyond the limit. After an
    /// error there is no file.
    func receive(
        name: String, type: String, limit: Int64, next: () async throws -> ByteBuffer?
    ) async throws -> File {
        let path = folder.appending(UUID().uuidString)
        let size = try await FileSystem.shared.withFileHandle(
            forWritingAt: path, options: .newFile(replaceExisting: false, permissions: [.ownerReadWrite])
        ) { handle in
            var offset: Int64 = 0
            while let chunk = try await next() {
                guard offset + Int64(chunk.readableBytes) <= limit else { throw PageFailure.tooLarge }
                offset += try await handle.write(contentsOf: chunk, toAbsoluteOffset: offset)
            }
            return offset
        }
        return File(path: path.string, name: name, type: type, size: size)
    }

    /// Deletes a file.
    func remove(_ file: File) {
        unlink(file.path)
    }
}

/// The names of files, which come from browsers and from the chat server.
enum FileNames {
    /// Returns a name for display: the last part of a path, without control and format characters, at most 255
    /// characters. Never empty.
    static func display(_ name: String) -> String {
        let last = name.split { $0 == "/" || $0 == "\\" }.last ?? ""
        let scalars = last.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        let text = String(String.UnicodeScalarView(scalars)).prefix(255)
        return text.allSatisfy { $0 == "." || $0 == " " } ? "file" : String(text)
    }

    /// Returns the value of `Content-Disposition` for a download (RFC 6266; RFC 8187 for the name).
    static func disposition(_ name: String?, inline: Bool) -> String {
        var encoded = ""
        for byte in display(name ?? "").utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return "\(inline ? "inline" : "attachment"); filename*=UTF-8''\(encoded)"
    }
}
