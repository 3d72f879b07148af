public import Foundation
import HoldfastBase
import HoldfastTransport

/// The pictures that the themes of a page name with `ChatThemeImage.Source.asset`.
///
/// ```swift
/// configuration.pictures = try await ChatPagePictures(folder: URL(fileURLWithPath: "/srv/chat/pictures"))
/// theme.images.send = ChatThemeImage(.asset("plane"))     // plane.png in the folder
/// ```
public struct ChatPagePictures: Hashable, Sendable {
    /// The largest size of a picture of a theme in bytes.
    ///
    /// - Error: `ChatPageServerError.Code.unusablePicture`
    public static let maximumBytes = 256 << 10
    /// The largest number of pictures.
    ///
    /// - Error: `ChatPageServerError.Code.unusablePicture`
    public static let maximumCount = 128

    private var pictures: [String: ThemePicture] = [:]

    /// Creates an empty collection.
    public init() {}

    /// Creates a collection from the bytes of PNG, JPEG, GIF or WebP files.
    ///
    /// - Parameter files: The bytes by the names that themes use.
    /// - Throws: ``ChatPageServerError/Code/unusablePicture`` for a picture that is too large or has another format,
    ///   and for too many pictures.
    public init(_ files: [String: [UInt8]]) throws(ChatPageServerError) {
        for (name, bytes) in files.sorted(by: { $0.key < $1.key }) { try add(name, bytes, path: nil) }
    }

    /// Reads the files of a folder whose names end in `.png`, `.jpg`, `.jpeg`, `.gif` or `.webp`. A picture's name is
    /// the file's name without this end. Other files and subfolders are ignored.
    ///
    /// - Throws: ``ChatPageServerError/Code/unusablePicture`` if the folder or a picture cannot be read or used, and if
    ///   two files have the same name.
    public init(folder: URL) async throws(ChatPageServerError) {
        self = try await Blocking.run { () throws(ChatPageServerError) in try Self.read(folder) }
    }

    /// Whether the collection has no pictures.
    public var isEmpty: Bool { pictures.isEmpty }

    /// The names of the pictures, sorted.
    public var names: [String] { pictures.keys.sorted() }

    subscript(name: String) -> ThemePicture? { pictures[name] }

    private mutating func add(_ name: String, _ bytes: [UInt8], path: String?) throws(ChatPageServerError) {
        let shown = Printable.text(name)
        guard pictures[name] == nil else { throw Self.unusable("Two pictures have the name \"\(shown)\".", path) }
        guard pictures.count < Self.maximumCount else {
            throw Self.unusable("There are more than \(Self.maximumCount) pictures.", path)
        }
        do {
            pictures[name] = try ThemePicture(bytes)
        } catch {
            throw Self.unusable("The picture \"\(shown)\" cannot be used. \(error)", path)
        }
    }

    private static func read(_ folder: URL) throws(ChatPageServerError) -> ChatPagePictures {
        var collection = ChatPagePictures()
        let endings = ["png", "jpg", "jpeg", "gif", "webp"]
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        } catch {
            throw unusable("The folder with the pictures cannot be read.", folder.path, error)
        }
        for name in names.sorted() {
            let file = folder.appendingPathComponent(name)
            guard endings.contains(file.pathExtension.lowercased()) else { continue }
            try collection.add(file.deletingPathExtension().lastPathComponent, bytes(of: file), path: file.path)
        }
        return collection
    }

    /// Reads at most one byte more than a picture may have.
    private static func bytes(of file: URL) throws(ChatPageServerError) -> [UInt8] {
        do {
            let type = try FileManager.default.attributesOfItem(atPath: file.path)[.type] as? FileAttributeType
            guard type == .typeRegular else { throw unusable("The picture is not a regular file.", file.path) }
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            return Array(try handle.read(upToCount: maximumBytes + 1) ?? Data())
        } catch let error as ChatPageServerError {
            throw error
        } catch {
            throw unusable("The picture cannot be read.", file.path, error)
        }
    }

    private static func unusable(
        _ reason: String, _ path: String?, _ underlying: (any Error)? = nil
    ) -> ChatPageServerError {
        ChatPageServerError(.unusablePicture, reason: reason, path: path, underlying: underlying)
    }
}
