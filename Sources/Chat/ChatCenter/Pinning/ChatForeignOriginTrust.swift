/// Who judges servers that are none of the chat's own: where an operator's message or a picture points to by an absolute
/// address.
public enum ChatForeignOriginTrust: String, Hashable, Sendable, CaseIterable {
    /// The same certificates as for the chat's own servers. A file elsewhere is fetched only if that server shows one of
    /// their keys.
    case sameCertificates
    /// The system's verification: files may lie with anybody whom the system trusts.
    case system
}
