import CZlib

/// One stream of zlib: the only code that calls the library.
///
/// zlib keeps the address of its stream, so the stream lies at an address of its own and goes with this object. Not safe to share
/// between threads.
package final class ZlibStream {
    /// What stands around the compressed data.
    package enum Format: Sendable {
        /// Nothing (RFC 1951).
        case raw
        /// zlib's header and trailer (RFC 1950).
        case zlib
        /// gzip's header and trailer (RFC 1952).
        case gzip
    }

    /// What one call came to.
    package enum Outcome: Hashable, Sendable {
        /// There was progress.
        case progress
        /// No progress is possible without more input or more room.
        case starved
        /// The stream ended by its own word.
        case ended
        /// The stream needs a dictionary.
        case needsDictionary
        /// zlib has no memory.
        case noMemory
        /// The data is damaged, or zlib was misused.
        case failed(code: CInt)
    }

    private let stream: UnsafeMutablePointer<z_stream>
    private let isInflating: Bool

    /// Makes a stream that decompresses.
    package init(inflating format: Format, windowBits: Int = 15) throws(ZlibFailure) {
        let bits: CInt =
            switch format {
            case .raw: -CInt(windowBits)
            case .zlib: CInt(windowBits)
            case .gzip: CInt(windowBits) + 16
            }
        isInflating = true
        stream = try Self.begun { inflateInit2_($0, bits, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) }
    }

    /// Makes a stream that compresses, without a header or a trailer.
    package init(deflatingAt level: CInt, windowBits: Int, memoryLevel: Int) throws(ZlibFailure) {
        isInflating = false
        stream = try Self.begun {
            deflateInit2_(
                $0, level, Z_DEFLATED, -CInt(windowBits), CInt(memoryLevel), Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                CInt(MemoryLayout<z_stream>.size))
        }
    }

    private static func begun(
        _ begin: (UnsafeMutablePointer<z_stream>) -> CInt
    ) throws(ZlibFailure) -> UnsafeMutablePointer<z_stream> {
        let fresh = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        fresh.initialize(to: z_stream())
        let result = begin(fresh)
        guard result == Z_OK else {
            fresh.deinitialize(count: 1)
            fresh.deallocate()
            throw ZlibFailure(code: result)
        }
        return fresh
    }

    deinit {
        _ = isInflating ? inflateEnd(stream) : deflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Takes input and makes output, as far as both reach.
    ///
    /// - Parameter flushes: Whether all output for the input comes out at once.
    /// - Returns: What it came to, the bytes of the input that were taken, and the bytes of the output that were made.
    package func run(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, flushes: Bool
    ) -> (outcome: Outcome, taken: Int, made: Int) {
        let offered = UInt32(clamping: input.count)
        let room = UInt32(clamping: output.count)
        // zlib does not write to its input; its header only says so where a macro is set. It reads nothing where there is none.
        let bytes = input.isEmpty ? nil : input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes)
        stream.pointee.avail_in = offered
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = room
        let flush = flushes ? Z_SYNC_FLUSH : Z_NO_FLUSH
        let result = isInflating ? inflate(stream, flush) : deflate(stream, flush)
        stream.pointee.next_in = nil
        stream.pointee.next_out = nil
        let outcome: Outcome =
            switch result {
            case Z_OK: .progress
            case Z_BUF_ERROR: .starved
            case Z_STREAM_END: .ended
            case Z_NEED_DICT: .needsDictionary
            case Z_MEM_ERROR: .noMemory
            default: .failed(code: result)
            }
        return (outcome, Int(offered - stream.pointee.avail_in), Int(room - stream.pointee.avail_out))
    }

    /// Begins another stream behind one that has ended. What follows may refer to what came before.
    package func continueBehindEnd() -> Bool { inflateResetKeep(stream) == Z_OK }

    /// Whether decompression stands behind a block, and no bit is left over (zlib's manual on `inflate`, `data_type`).
    package var isBehindBlock: Bool {
        let state = stream.pointee.data_type
        return state & 128 != 0 && state & 0x3F == 0
    }
}

/// zlib has failed for a reason that is not the peer's: it has no memory, or was asked for something impossible.
package struct ZlibFailure: Error, Hashable, Sendable {
    /// What zlib answered.
    package var code: Int32

    package init(code: Int32) {
        self.code = code
    }

    /// zlib has no memory.
    package static var noMemory: ZlibFailure { ZlibFailure(code: Z_MEM_ERROR) }
    /// What came out is not what zlib promises.
    package static var unexpectedOutput: ZlibFailure { ZlibFailure(code: Z_DATA_ERROR) }
}
