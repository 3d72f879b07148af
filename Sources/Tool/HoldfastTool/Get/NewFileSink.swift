import HoldfastBase
import HoldfastSystem
import HoldfastTransport

/// Writes the body to a new file next to the destination, and gives it the name of the destination when it is complete.
/// For responses that cannot be resumed. The file is readable only by its owner.
final class NewFileSink: GetSink {
    private let path: String
    private let temporary: String
    private let descriptor: Int32
    private let replaces: Bool

    private init(path: String, temporary: String, descriptor: Int32, replaces: Bool) {
        self.path = path
        self.temporary = temporary
        self.descriptor = descriptor
        self.replaces = replaces
    }

    deinit {
        close(descriptor)
    }

    /// Creates the temporary file.
    ///
    /// - Parameter replaces: Whether a file with the name of the destination is replaced at the end.
    static func created(_ path: String, replaces: Bool) async throws -> NewFileSink {
        try await Blocking.run { () throws in
            let (folder, name) = GetOutput.split(path)
            var pattern = Array("\(folder)/.\(name).XXXXXX".utf8CString)
            let descriptor = pattern.withUnsafeMutableBufferPointer { pattern in
                pattern.baseAddress.map { mkstemp($0) } ?? -1
            }
            guard descriptor >= 0 else { throw GetFailure.output("'\(Printable.text(path))'", .last) }
            let temporary = String(decoding: pattern.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return NewFileSink(path: path, temporary: temporary, descriptor: descriptor, replaces: replaces)
        }
    }

    func write(_ part: [UInt8]) async throws {
        try await Blocking.run { [self] () throws in
            do throws(SystemError) {
                try SystemCalls.write(part, to: descriptor)
            } catch {
                throw failure(error)
            }
        }
    }

    func finish() async throws {
        try await Blocking.run { [self] () throws in
            guard fsync(descriptor) == 0 else { throw failure(.last) }
            if replaces {
                guard rename(temporary, path) == 0 else { throw failure(.last) }
            } else {
                try takeName()
            }
            DurableFile.flushFolder(GetOutput.split(path).folder)
        }
    }

    func abandon() async {
        await Blocking.run { [temporary] in _ = unlink(temporary) }
    }

    /// Gives the file its name, unless another file has it by now.
    private func takeName() throws(GetFailure) {
        do throws(SystemError) {
            try DurableFile.publish(temporary, as: path)
        } catch {
            throw error.number == EEXIST ? .exists(path) : failure(error)
        }
    }

    private func failure(_ error: SystemError) -> GetFailure {
        .output("'\(Printable.text(path))'", error)
    }
}
