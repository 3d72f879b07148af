extension TransferError {
    /// The stable name of a kind of failure. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The request cannot be the one of a transfer: another method, or fields that the transfer sets itself.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// The server answered with another status than the transfer can use; ``TransferError/response`` is the answer.
        public static let unexpectedStatus = Code(rawValue: "unexpectedStatus")
        /// A field of the response cannot be read.
        public static let malformedField = Code(rawValue: "malformedField")
        /// A `206` is not the range that was asked for, or its body is not what its head says.
        public static let rangeMismatch = Code(rawValue: "rangeMismatch")
        /// The server sent a coded body though none was asked for: ranges and checksums would be of other bytes.
        public static let codedBody = Code(rawValue: "codedBody")
        /// The file on the server changed again and again while it was fetched.
        public static let contentChanged = Code(rawValue: "contentChanged")
        /// There are more bytes than the caller, or the server of an upload, takes.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The bytes have another digest than was announced or asked for. What had come has been deleted.
        public static let checksumMismatch = Code(rawValue: "checksumMismatch")
        /// A file on this side cannot be made, read, written or put in its place, or belongs to somebody else.
        public static let fileUnusable = Code(rawValue: "fileUnusable")
        /// The server sent less than the ``MinimumProgress`` of a download. What has arrived stays for the next call.
        public static let tooLittleProgress = Code(rawValue: "tooLittleProgress")
        /// Another download to the same place is under way.
        public static let alreadyUnderway = Code(rawValue: "alreadyUnderway")
        /// The file that is sent is not the one that it was: its size, its date or its digest has changed.
        public static let fileChanged = Code(rawValue: "fileChanged")

        /// The server does not speak the protocol of resumable uploads.
        public static let resumptionNotSupported = Code(rawValue: "resumptionNotSupported")
        /// The server named no URL for the upload, another one than before, or one on another origin than its own.
        public static let locationRefused = Code(rawValue: "locationRefused")
        /// The server says it has more bytes than there are, fewer than it had, or no number at all.
        public static let offsetRefused = Code(rawValue: "offsetRefused")
        /// The server does not know the upload (any more). The token is of no further use.
        public static let uploadGone = Code(rawValue: "uploadGone")
        /// The token belongs to another request, or cannot be read.
        public static let tokenRefused = Code(rawValue: "tokenRefused")
    }
}
