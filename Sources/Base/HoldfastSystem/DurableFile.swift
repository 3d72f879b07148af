/// Writes small files so that a crash or a power loss leaves the old file or the new one, never a part. Blocks the calling thread.
///
/// Every function takes names relative to an open folder; without one, paths. No function follows a symbolic link in place of the file.
package enum DurableFile {
    /// Makes a file and flushes it. Refuses an existing file. The process's mask narrows the mode.
    package static func create(_ path: String, mode: mode_t, with bytes: [UInt8]) throws(Failure) {
        try create(path, in: AT_FDCWD, mode: mode, ignoresMask: false, bytes)
    }

    /// Replaces a file: writes a temporary file, flushes it, and renames it.
    ///
    /// - Parameters:
    ///   - temporary: The name of the temporary file in the same folder. What a crash left under this name is removed.
    ///   - mode: The mode of the new file. The process's mask does not narrow a mode that is open to others.
    ///   - flushesFolder: Whether to flush the folder too. Without it, a power loss can bring the old file back.
    package static func replace(
        _ name: String, temporary: String, in folder: CInt = AT_FDCWD, mode: mode_t = 0o600, flushesFolder: Bool,
        with bytes: [UInt8]
    ) throws(Failure) {
        unlinkat(folder, temporary, 0)
        try create(temporary, in: folder, mode: mode, ignoresMask: mode & 0o077 != 0, bytes)
        guard renameat(folder, temporary, folder, name) == 0 else {
            let failure = Failure(step: .rename, error: .last)
            unlinkat(folder, temporary, 0)
            throw failure
        }
        if flushesFolder, fsync(folder) != 0 { throw Failure(step: .flushFolder, error: .last) }
    }

    /// Flushes the names in a folder where the file system can. Ignores errors.
    package static func flushFolder(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private static func create(
        _ name: String, in folder: CInt, mode: mode_t, ignoresMask: Bool, _ bytes: [UInt8]
    ) throws(Failure) {
        let file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard file >= 0 else { throw Failure(step: .create, error: .last) }
        defer { close(file) }
        var step = Failure.Step.write
        do throws(SystemError) {
            if ignoresMask, fchmod(file, mode) != 0 { throw .last }
            try SystemCalls.write(bytes, to: file)
            step = .flush
            guard fsync(file) == 0 else { throw .last }
        } catch {
            unlinkat(folder, name, 0)
            throw Failure(step: step, error: error)
        }
    }
}

extension DurableFile {
    /// Why a file was not written.
    package struct Failure: Error, Hashable {
        /// The steps of writing a file, in order, each with what its failure means.
        package enum Step: String, Hashable, Sendable {
            /// Make the file.
            case create = "the file cannot be made"
            /// Write the bytes.
            case write = "the file cannot be written"
            /// Flush the file.
            case flush = "the file cannot be flushed"
            /// Put the file in its place.
            case rename = "the file cannot be put in its place"
            /// Flush the folder. The file is in its place.
            case flushFolder = "the folder cannot be flushed"
        }

        /// The step that failed.
        package let step: Step
        /// The system's error.
        package let error: SystemError
    }
}
