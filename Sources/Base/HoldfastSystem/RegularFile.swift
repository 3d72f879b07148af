/// Reads whole regular files. Refuses devices, pipes and folders, whose size is not known in advance.
package enum RegularFile {
    /// Returns the bytes of a file. Follows symbolic links. Throws if the file is empty. Blocks the calling thread.
    package static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        // Opening a device can have side effects, so the type is checked first.
        guard let identity = FileIdentity(path: path) else { throw Failure(kind: .missing) }
        guard identity.isRegularFile else { throw Failure(kind: .irregular) }
        guard identity.stamp.size <= limit else { throw Failure(kind: .tooLarge(limit: limit)) }
        // Without O_NONBLOCK, `open` waits for a writer if a pipe has just replaced the file.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw Failure(kind: .unreadable) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, FileIdentity(status).isRegularFile else { throw Failure(kind: .irregular) }
        let bytes: [UInt8]?
        do throws(SystemError) {
            bytes = try SystemCalls.readAll(from: file, limit: limit)
        } catch {
            throw Failure(kind: .unreadable)
        }
        // The file may have grown since the check of its size.
        guard let bytes else { throw Failure(kind: .tooLarge(limit: limit)) }
        guard !bytes.isEmpty else { throw Failure(kind: .empty) }
        return bytes
    }

    /// The reason why a file was not read.
    package struct Failure: Error, Hashable {
        /// The kinds of failure.
        package enum Kind: Hashable, Sendable {
            /// The file does not exist, or a folder above it cannot be searched.
            case missing
            /// The path is a folder, a device or a pipe.
            case irregular
            /// The file exceeds the caller's size limit.
            case tooLarge(limit: Int)
            /// The system refuses to open or read the file.
            case unreadable
            /// The file has no bytes.
            case empty
        }

        /// The kind of failure.
        package let kind: Kind

        /// One sentence for people, without the path.
        package var reason: String {
            switch kind {
            case .missing: "The file does not exist."
            case .irregular: "The path is not a regular file."
            case .tooLarge(let limit): "The file exceeds the limit of \(limit) bytes."
            case .unreadable: "The file cannot be read."
            case .empty: "The file is empty."
            }
        }
    }
}
