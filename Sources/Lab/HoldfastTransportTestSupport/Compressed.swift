import CZlib

/// Compresses bytes for tests.
package enum Compressed {
    /// Returns the bytes in gzip format (RFC 1952).
    package static func gzip(_ bytes: [UInt8]) throws -> [UInt8] { try deflate(bytes, window: 15 + 16) }

    /// Returns the bytes in zlib format (RFC 1950).
    package static func zlib(_ bytes: [UInt8]) throws -> [UInt8] { try deflate(bytes, window: 15) }

    /// Returns the bytes in raw DEFLATE format (RFC 1951).
    package static func raw(_ bytes: [UInt8]) throws -> [UInt8] { try deflate(bytes, window: -15) }

    /// An error for a failed initialization of zlib.
    package struct CodingError: Error {
        /// The status code of zlib.
        package var status: Int32
    }

    private static func deflate(_ bytes: [UInt8], window: Int32) throws -> [UInt8] {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        let begun = deflateInit2_(&stream, 9, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
        guard begun == Z_OK else { throw CodingError(status: begun) }
        defer { deflateEnd(&stream) }
        var input = bytes
        let room = Int(deflateBound(&stream, UInt(bytes.count))) + 64
        return [UInt8](unsafeUninitializedCapacity: room) { output, count in
            input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(room)
                _ = CZlib.deflate(&stream, Z_FINISH)
            }
            count = room - Int(stream.avail_out)
        }
    }
}
