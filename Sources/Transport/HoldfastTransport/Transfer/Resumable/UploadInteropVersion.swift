/// A version of the protocol of resumable uploads, by the number that drafts of the IETF give themselves in
/// `Upload-Draft-Interop-Version` (draft-ietf-httpbis-resumable-upload). Drafts differ in their fields, so both sides name theirs.
public enum UploadInteropVersion: Int, Hashable, Sendable, Codable, CaseIterable, Comparable {
    /// Draft 01: `Upload-Incomplete`.
    case three = 3
    /// Draft 03: `Upload-Complete`.
    case five = 5
    /// Drafts 04 and 05: `Upload-Length`, `Upload-Limit`, `application/partial-upload`. What swift-nio-extras and current Apple systems
    /// speak.
    case six = 6

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}
