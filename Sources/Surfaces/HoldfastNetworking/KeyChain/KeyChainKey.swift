/// Where the key comes from that seals the credentials in a ``FileKeyChainStore``: the base64 of 32 random bytes, as
/// `head -c 32 /dev/urandom | base64` makes it.
public struct KeyChainKey: Hashable, Sendable {
    enum Source: Hashable, Sendable {
        case automatic
        case file(String)
        case environment(String)
    }

    let source: Source

    /// The variable ``keyVariable``; where that is not set, the file that ``fileVariable`` names; where that is not set
    /// either, a file beside the credentials, which is made with the first of them.
    ///
    /// A key beside the data keeps out whoever has the data alone, a backup of the folder without the key, say, and nobody
    /// else: whoever reads both has the credentials.
    public static let automatic = KeyChainKey(source: .automatic)

    /// A file that is there already, which belongs to the user, is open to nobody else and is no link.
    public static func file(_ path: String) -> KeyChainKey { KeyChainKey(source: .file(path)) }

    /// An environment variable. A warning is logged: the environment is inherited by every child process, and is found in
    /// crash reports and in the settings of whatever starts the process.
    public static func environment(_ variable: String) -> KeyChainKey { KeyChainKey(source: .environment(variable)) }

    /// The variable that holds the key with ``automatic``.
    public static let keyVariable = "HOLDFAST_KEY_CHAIN_KEY"
    /// The variable that names the key's file with ``automatic``.
    public static let fileVariable = "HOLDFAST_KEY_CHAIN_KEY_FILE"
}
