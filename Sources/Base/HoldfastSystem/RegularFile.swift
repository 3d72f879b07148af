/// Reads whole files whose size is known before: no devices, no pipes, no directories.
package enum RegularFile {
    /// The bytes of a file, symbolic links followed. Refuses an empty file. Blocks the calling thread.
    package static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        // Opening a device can have effects: look first.
        guard let identity = FileIdentity(path: path) else { throw Failure(kind: .missing) }
        guard identity.isRegularFile else { throw Failure(kind: .irregular) }
        guard identity.stamp.size <= limit else { throw Failure(kind: .tooLarge(limit: limit)) }
        // Without O_NONBLOCK, opening a pipe that has just taken the file's place would wait for a writer.
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
        // It may have grown since.
        guard let bytes else { throw Failure(kind: .tooLarge(limit: limit)) }
        guard !bytes.isEmpty else { throw Failure(kind: .empty) }
        return bytes
    }

    /// Why a file was not read.
    package struct Failure: Error, Hashable {
        /// The kinds of failure.
        package enum Kind: Hashable, Sendable {
            /// The file does not exist, or a folder above it cannot be searched.
            case missing
            /// It is a folder, a device or a pipe.
            case irregular
            /// It has more bytes than the caller reads.
            case tooLarge(limit: Int)
            /// The system refuses to open or read it.
            case unreadable
            /// It has no bytes.
            case empty
        }

        /// The kind of failure.
        package let kind: Kind

        /// One sentence for a person, without the path.
        package var reason: String {
            switch kind {
            case .missing: "There is no such file."
            case .irregular: "This is no regular file."
            case .tooLarge(let limit): "The file has more than \(limit) bytes."
            case .unreadable: "The file cannot be read."
            case .empty: "The file is empty."
            }
        }
    }
}
