import HoldfastTrust

extension KeyChainFileError {
    /// What kept a file from being read or written, in the words of the code that tried.
    init(_ failure: FileStore.Failure, at path: String) {
        let code: Code =
            switch failure.kind {
            case .tooOpen: .permissionsTooOpen
            case .foreignOwner: .foreignOwner
            case .unsuitable: .unsuitableFile
            case .tooLarge: .damaged
            case .system: .storage
            }
        self.init(code, "The credentials in \(Printable.text(path)) cannot be used: \(failure.reason).")
    }
}
