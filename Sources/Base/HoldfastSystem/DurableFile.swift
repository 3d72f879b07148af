/// Writes small files so that a crash or a power loss leaves either the old or the new file, never a part. Blocks the
/// calling thread.
///
/// File names are relative to an open folder if the caller passes one; otherwise they are paths. No function follows a
/// symbolic link in place of the file.
package enum DurableFile {
    /// Creates a file and flushes it. Throws if the file exists. The process's file mode creation mask applies to the
    /// mode.
    package static func create(_ path: String, mode: mode_t, with bytes: [UInt8]) throws(Failure) {
        try create(path, in: AT_FDCWD, mode: mode, ignoresMask: false, bytes)
    }

    /// Replaces a file: writes a temporary file, flushes it, and renames it.
    ///
    /// - Parameters:
    ///   - temporary: The name of the temporary file in the same folder. A file that a crash left under this name is
    ///     removed.
    ///   - mode: The mode of the new file. The process's file mode creation mask does not restrict a mode that allows
    ///     access to others.
    ///   - flushesFolder: Whether to flush the folder as well. Without this, a power loss can restore the old file.
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

    /// Gives a temporary file its final name. Throws the error `EEXIST` if a file with this name exists, and does not
    /// replace it. Flushes nothing.
    package static func publish(
        _ temporary: String, as name: String, in folder: CInt = AT_FDCWD
    ) throws(SystemError) {
        // Unlike a rename, a link never replaces a file. `renameat2` is not available in Swift.
        if linkat(folder, temporary, folder, name, 0) == 0 {
            unlinkat(folder, temporary, 0)
            return
        }
        let error = SystemError.last
        // Some file systems have no hard links. There, a file that appears after the check is replaced.
        guard [EPERM, ENOSYS, ENOTSUP, EOPNOTSUPP].contains(error.number) else { throw error }
        guard !exists(name, in: folder) else { throw SystemError(EEXIST) }
        guard renameat(folder, temporary, folder, name) == 0 else { throw .last }
    }

    /// Returns whether a file with this name exists. A symbolic link exists even if its target does not.
    package static func exists(_ name: String, in folder: CInt = AT_FDCWD) -> Bool {
        var status = stat()
        return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Flushes the entries of a folder if the file system supports it. Ignores errors.
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

    /// The reason why a file was not written.
    package struct Failure: Error, Hashable {
        /// The steps of writing a file, in order. The raw value describes the failure of the step.
        package enum Step: String, Hashable, Sendable {
            /// Create the file.
            case create = "the file cannot be created"
            /// Write the bytes.
            case write = "the file cannot be written"
            /// Flush the file.
            case flush = "the file cannot be flushed"
            /// Rename the temporary file to its final name.
            case rename = "the file cannot be renamed"
            /// Flush the folder. The new file is already in place.
            case flushFolder = "the folder cannot be flushed"
        }

        /// The step that failed.
        package let step: Step
        /// The system's error.
        package let error: SystemError
    }
}
