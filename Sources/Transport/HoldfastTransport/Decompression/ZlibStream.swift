import CZlib

/// A zlib stream. This is the only code that calls the library.
///
/// zlib stores the address of its stream, so the stream is allocated separately and freed with this object. Must not be
/// shared between threads.
package final class ZlibStream {
    /// The format around the compressed data.
    package enum Format: Sendable {
        /// No header or trailer (RFC 1951).
        case raw
        /// A zlib header and trailer (RFC 1950).
        case zlib
        /// A gzip header and trailer (RFC 1952).
        case gzip
    }

    /// The outcome of a call to zlib.
    package enum Outcome: Hashable, Sendable {
        /// Input was consumed or output was produced.
        case progress
        /// More input or more output space is needed.
        case starved
        /// The stream ended normally.
        case ended
        /// The stream needs a preset dictionary.
        case needsDictionary
        /// zlib is out of memory.
        case noMemory
        /// The data is damaged, or zlib was used incorrectly.
        case failed(code: CInt)
    }

    private let stream: UnsafeMutablePointer<z_stream>
    private let isInflating: Bool

    /// Creates a stream that decompresses.
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

    /// Creates a stream that compresses, without a header or trailer.
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

    /// Consumes input and produces output until one of the buffers is exhausted.
    ///
    /// - Parameter flushes: Whether to output all data for the input at once.
    /// - Returns: The outcome, the number of input bytes consumed and the number of output bytes produced.
    package func run(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, flushes: Bool
    ) -> (outcome: Outcome, taken: Int, made: Int) {
        let offered = UInt32(clamping: input.count)
        let room = UInt32(clamping: output.count)
        // zlib does not write to its input; its header declares `const` only if a macro is set. Empty input is never
        // read.
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

    /// Starts another stream after one that ended. The new data may refer to the earlier data.
    package func continueBehindEnd() -> Bool { inflateResetKeep(stream) == Z_OK }

    /// Whether decompression is at the end of a block, with no bits left over (`data_type` in zlib's manual for
    /// `inflate`).
    package var isBehindBlock: Bool {
        let state = stream.pointee.data_type
        return state & 128 != 0 && state & 0x3F == 0
    }
}

/// An error of zlib that the peer did not cause: zlib is out of memory or was called incorrectly.
package struct ZlibFailure: Error, Hashable, Sendable {
    /// zlib's error code.
    package var code: Int32

    package init(code: Int32) {
        self.code = code
    }

    /// zlib is out of memory.
    package static var noMemory: ZlibFailure { ZlibFailure(code: Z_MEM_ERROR) }
    /// zlib produced unexpected output.
    package static var unexpectedOutput: ZlibFailure { ZlibFailure(code: Z_DATA_ERROR) }
}
