#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reading and writing whole pieces on a file descriptor. An error's sentence is the system's own words.
enum SystemCalls {
    /// Writes all the bytes.
    static func write(_ bytes: [UInt8], to descriptor: Int32) throws(ToolError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else if errno != EINTR && errno != EAGAIN {
                throw ToolError(String(cString: strerror(errno)))
            }
        }
    }

    /// Reads at most `count` bytes; an empty array at the end.
    static func read(upTo count: Int, from descriptor: Int32) throws(ToolError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            var result: Int
            repeat {
                result = systemRead(descriptor, buffer.baseAddress, count)
            } while result < 0 && errno == EINTR
            if result < 0 { failure = errno }
            filled = max(0, result)
        }
        guard failure == 0 else { throw ToolError(String(cString: strerror(failure))) }
        return bytes
    }
}

// The C functions, by names that the methods above do not hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
