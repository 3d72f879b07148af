/// zlib has failed for a reason that is not the peer's: it has no memory, or was asked for something impossible.
package struct ZlibFailure: Error, Hashable, Sendable {
    /// What zlib answered.
    package var code: Int32

    package init(code: Int32) {
        self.code = code
    }
}
