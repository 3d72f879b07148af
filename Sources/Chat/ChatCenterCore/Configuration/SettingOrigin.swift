/// The origin of an effective setting.
public enum SettingOrigin: String, Hashable, Sendable, CaseIterable {
    /// The documented default.
    case standard
    /// The host application set it.
    case local
    /// The server sent it.
    case server
}
