import Crypto

/// The keys of one user's folder, derived from the app's key (HKDF, RFC 5869): one for rows, one for the names that rows
/// are looked up by, one for files. Another folder has others, so that nothing can be carried from one user to the next.
struct StoreKeys: Sendable {
    let rows: SymmetricKey
    let names: SymmetricKey
    let files: SymmetricKey

    /// - Parameter folder: The name of the user's folder.
    init(_ key: ChatStorageKey, folder: String) {
        func derive(_ purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: key.bytes), salt: Array(folder.utf8),
                info: Array("holdfast chat store 1 \(purpose)".utf8), outputByteCount: 32)
        }
        rows = derive("rows")
        names = derive("names")
        files = derive("files")
    }
}
