/// Reads and writes all requested bytes on a file descriptor. Repeats calls that a signal interrupts. Blocks the
/// calling thread.
package enum SystemCalls {
    /// The type of stream sockets. Glibc declares `SOCK_STREAM` as an enumeration.
    #if canImport(Glibc)
    package static let streamSocket = CInt(SOCK_STREAM.rawValue)
    #else
    package static let streamSocket = SOCK_STREAM
    #endif

    /// Writes all bytes.
    package static func write(_ bytes: [UInt8], to descriptor: CInt) throws(SystemError) {
        try writeAll(bytes) { rest, _ in systemWrite(descriptor, rest.baseAddress, rest.count) }
    }

    /// Writes all bytes at an offset.
    package static func write(_ bytes: [UInt8], to descriptor: CInt, at offset: Int64) throws(SystemError) {
        try writeAll(bytes) { rest, done in
            pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
        }
    }

    /// Reads at most `count` bytes. Returns an empty array at the end of the file.
    package static func read(upTo count: Int, from descriptor: CInt) throws(SystemError) -> [UInt8] {
        try readOnce(count) { systemRead(descriptor, $0, count) }
    }

    /// Reads at most `count` bytes at an offset. Returns an empty array at the end of the file.
    package static func read(
        upTo count: Int, from descriptor: CInt, at offset: Int64
    ) throws(SystemError) -> [UInt8] {
        try readOnce(count) { pread(descriptor, $0, count, off_t(offset)) }
    }

    /// Reads to the end of the file. Returns `nil` if there are more than `limit` bytes.
    package static func readAll(from descriptor: CInt, limit: Int) throws(SystemError) -> [UInt8]? {
        var bytes: [UInt8] = []
        while true {
            let part = try read(upTo: 64 * 1_024, from: descriptor)
            if part.isEmpty { return bytes }
            bytes += part
            guard bytes.count <= limit else { return nil }
        }
    }

    private static func writeAll(
        _ bytes: [UInt8], _ write: (UnsafeRawBufferPointer, _ done: Int) -> Int
    ) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[done...]), done) }
            if count >= 0 {
                done += count
            } else if errno != EINTR && errno != EAGAIN {
                throw .last
            }
        }
    }

    private static func readOnce(
        _ capacity: Int, _ read: (UnsafeMutableRawPointer?) -> Int
    ) throws(SystemError) -> [UInt8] {
        var failure: CInt = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, filled in
            var result: Int
            repeat { result = read(buffer.baseAddress) } while result < 0 && errno == EINTR
            if result < 0 { failure = errno }
            filled = max(0, result)
        }
        guard failure == 0 else { throw SystemError(failure) }
        return bytes
    }
}

// These names call the C functions, which the methods above hide.
private func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

private func systemRead(_ descriptor: CInt, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}

/// An error that the system reported.
package struct SystemError: Error, Hashable, CustomStringConvertible {
    /// The number of the error, as in `errno`.
    package let number: CInt

    /// Creates an error from its number.
    package init(_ number: CInt) {
        self.number = number
    }

    /// The error of the last failed call on this thread.
    package static var last: SystemError { SystemError(errno) }

    /// The system's description of the error.
    package var description: String { strerror(number).map { String(cString: $0) } ?? "error \(number)" }
}
