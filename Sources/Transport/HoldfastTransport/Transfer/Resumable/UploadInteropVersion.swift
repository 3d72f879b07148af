/// An interop version of the protocol for resumable uploads (draft-ietf-httpbis-resumable-upload).
///
/// The IETF drafts define this number for the field `Upload-Draft-Interop-Version`. Drafts differ in their fields, so
/// both sides send their version.
public enum UploadInteropVersion: Int, Hashable, Sendable, Codable, CaseIterable, Comparable {
    /// Draft 01: `Upload-Incomplete`.
    case three = 3
    /// Draft 03: `Upload-Complete`.
    case five = 5
    /// Drafts 04 and 05: `Upload-Length`, `Upload-Limit`, `application/partial-upload`. Supported by swift-nio-extras
    /// and current Apple systems.
    case six = 6

    /// Returns whether the first version is older.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}
