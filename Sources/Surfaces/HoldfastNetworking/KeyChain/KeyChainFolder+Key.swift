import Crypto
import Foundation
import HoldfastTrust

extension KeyChainFolder {
    /// The key that the values are sealed with, from wherever it is said to be. `creating`: the one beside the values is
    /// made if it is missing, which is done under the lock.
    func master(creating: Bool) throws(KeyChainFileError) -> SymmetricKey {
        switch key.source {
        case .file(let file): return try master(inFile: file)
        case .environment(let variable): return try master(inVariable: variable)
        case .automatic:
            // A variable that is set is used or refused: nothing falls back to a weaker place.
            if environment[KeyChainKey.keyVariable] != nil {
                return try master(inVariable: KeyChainKey.keyVariable)
            }
            if let file = environment[KeyChainKey.fileVariable] { return try master(inFile: file) }
            return try masterBeside(creating: creating)
        }
    }

    /// The environment variable that holds the key, where one does.
    var keyVariable: String? {
        switch key.source {
        case .environment(let variable): variable
        case .automatic where environment[KeyChainKey.keyVariable] != nil: KeyChainKey.keyVariable
        case .automatic, .file: nil
        }
    }

    private func master(inVariable variable: String) throws(KeyChainFileError) -> SymmetricKey {
        let place = "the variable \(Printable.text(variable))"
        guard let text = environment[variable] else { throw missing(place) }
        return try master(text, in: place)
    }

    private func master(inFile file: String) throws(KeyChainFileError) -> SymmetricKey {
        let bytes = try files(at: file) { () throws(FileStore.Failure) in
            try FileStore.load(path: file, limit: Self.keyFileLimit)
        }
        guard let bytes else { throw missing(Printable.text(file)) }
        return try master(String(decoding: bytes, as: UTF8.self), in: Printable.text(file))
    }

    private func masterBeside(creating: Bool) throws(KeyChainFileError) -> SymmetricKey {
        let store = FileStore(folder: path, name: "key", limit: Self.keyFileLimit)
        let file = path + "/key"
        let bytes = try files(at: file) { () throws(FileStore.Failure) in try store.load() }
        if let bytes {
            return try master(String(decoding: bytes, as: UTF8.self), in: Printable.text(file))
        }
        guard creating else { throw missing(Printable.text(file)) }
        let key = SymmetricKey(size: .bits256)
        let text = key.withUnsafeBytes { Data($0) }.base64EncodedString() + "\n"
        try files(at: file) { () throws(FileStore.Failure) in try store.save(Array(text.utf8)) }
        return key
    }

    private func master(_ text: String, in place: String) throws(KeyChainFileError) -> SymmetricKey {
        let line = text.hasSuffix("\n") ? String(text.dropLast()) : text
        guard let data = Data(base64Encoded: line), data.count == 32 else {
            throw KeyChainFileError(
                .keyUnusable, "The key in \(place) is not the base64 of 32 bytes.")
        }
        return SymmetricKey(data: data)
    }

    private func missing(_ place: String) -> KeyChainFileError {
        KeyChainFileError(.keyMissing, "There is no key in \(place).")
    }

    private static var keyFileLimit: Int { 1_024 }
}
