import HoldfastBase
import Crypto
import Foundation
import HoldfastSystem

/// Sealed values in the files of one folder. Each file is replaced completely or not at all. Blocks the calling thread.
struct KeyChainFolder: Sendable {
    let service: String
    let path: String
    let key: KeyChainKey
    let environment: [String: String]
    let maximumValueBytes: Int

    /// Stores a value. If this fails, the previous value remains.
    ///
    /// - Parameter replaces: Whether to replace an existing value.
    func save(_ value: [UInt8], forKey name: String, replaces: Bool = true) throws(KeyChainFileError) {
        guard value.count <= maximumValueBytes else {
            throw KeyChainFileError(
                .valueTooLarge, "The value has \(value.count) bytes; the limit is \(maximumValueBytes) bytes.")
        }
        let entry = entry(name)
        try files { () throws(FileStore.Failure) in
            try entry.makeParents()
            try entry.checkParents()
        }
        try locked { () throws(KeyChainFileError) in
            if !replaces, try self.value(forKey: name) != nil { return }
            let sealed = try KeyChainSeal(master: master(creating: true)).seal(value, service: service, name: name)
            try files { () throws(FileStore.Failure) in try entry.save(sealed) }
        }
    }

    /// Returns the value, or `nil` if there is none.
    func value(forKey name: String) throws(KeyChainFileError) -> [UInt8]? {
        let entry = entry(name)
        let sealed = try files { () throws(FileStore.Failure) in
            try entry.checkParents()
            return try entry.load()
        }
        guard let sealed else { return nil }
        return try KeyChainSeal(master: master(creating: false)).open(sealed, service: service, name: name)
    }

    /// Deletes a value, even an unreadable one, and the remains of an interrupted write.
    func deleteValue(forKey name: String) throws(KeyChainFileError) {
        let entry = entry(name)
        guard entry.folderExists else { return }
        try files { () throws(FileStore.Failure) in try entry.checkParents() }
        try locked { () throws(KeyChainFileError) in
            try files { () throws(FileStore.Failure) in try entry.remove() }
        }
    }

    /// Returns the file of a value. Its name does not reveal the value's name and cannot refer to a path outside the
    /// folder.
    func entry(_ name: String) -> FileStore {
        let digest = Array(SHA256.hash(data: Data(name.utf8))).hexadecimal
        return FileStore(folder: path, name: digest, limit: maximumValueBytes + KeyChainSeal.overhead)
    }

    /// Locks the folder against other processes and other stores.
    private func locked(_ work: () throws(KeyChainFileError) -> Void) throws(KeyChainFileError) {
        let outcome = try files { () throws(FileStore.Failure) -> Result<Void, KeyChainFileError> in
            try FileStore(folder: path, name: "store", limit: 0).locked {
                Result { () throws(KeyChainFileError) in try work() }
            }
        }
        try outcome.get()
    }

    /// Runs a file operation and converts its error. The error names `path`, or the folder by default.
    func files<Result>(
        at path: String? = nil, _ work: () throws(FileStore.Failure) -> Result
    ) throws(KeyChainFileError) -> Result {
        do throws(FileStore.Failure) {
            return try work()
        } catch {
            throw KeyChainFileError(error, at: path ?? self.path)
        }
    }

    /// Returns the key that seals the values. If `creating` is true, a missing key file next to the values is created
    /// under the lock.
    func master(creating: Bool) throws(KeyChainFileError) -> SymmetricKey {
        switch key.source {
        case .file(let file): return try master(inFile: file)
        case .environment(let variable): return try master(inVariable: variable)
        case .automatic:
            // A variable that is set must be valid: the folder never falls back to a less secure location.
            if environment[KeyChainKey.keyVariable] != nil {
                return try master(inVariable: KeyChainKey.keyVariable)
            }
            if let file = environment[KeyChainKey.fileVariable] { return try master(inFile: file) }
            return try masterBeside(creating: creating)
        }
    }

    /// The environment variable that contains the key, if the key comes from one.
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
                .keyUnusable, "The key in \(place) is not 32 bytes in base64.")
        }
        return SymmetricKey(data: data)
    }

    private func missing(_ place: String) -> KeyChainFileError {
        KeyChainFileError(.keyMissing, "There is no key in \(place).")
    }

    /// The maximum size of a key file in bytes.
    ///
    /// - Error: `KeyChainFileError`
    private static var keyFileLimit: Int { 1_024 }
}
