import HoldfastBase
import Crypto
import Foundation
import HoldfastSystem
import HoldfastTrust

/// Sealed values in the files of one folder, each replaced as a whole or not at all. Blocks the calling thread.
struct KeyChainFolder: Sendable {
    let service: String
    let path: String
    let key: KeyChainKey
    let environment: [String: String]
    let maximumValueBytes: Int

    /// Keeps a value. Where this fails, the one that was there still is.
    ///
    /// - Parameter replaces: Whether a value that is there is replaced, or stays.
    func save(_ value: [UInt8], forKey name: String, replaces: Bool = true) throws(KeyChainFileError) {
        guard value.count <= maximumValueBytes else {
            throw KeyChainFileError(
                .valueTooLarge, "The value has \(value.count) bytes, the limit is \(maximumValueBytes).")
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

    /// The value; `nil` if there is none.
    func value(forKey name: String) throws(KeyChainFileError) -> [UInt8]? {
        let entry = entry(name)
        let sealed = try files { () throws(FileStore.Failure) in
            try entry.checkParents()
            return try entry.load()
        }
        guard let sealed else { return nil }
        return try KeyChainSeal(master: master(creating: false)).open(sealed, service: service, name: name)
    }

    /// Removes a value, and what a crash left of its successor. One that cannot be read can be removed.
    func deleteValue(forKey name: String) throws(KeyChainFileError) {
        let entry = entry(name)
        guard entry.folderExists else { return }
        try files { () throws(FileStore.Failure) in try entry.checkParents() }
        try locked { () throws(KeyChainFileError) in
            try files { () throws(FileStore.Failure) in try entry.remove() }
        }
    }

    /// The file of a value. Its name does not tell the value's, and no name leads out of the folder.
    func entry(_ name: String) -> FileStore {
        let digest = Array(SHA256.hash(data: Data(name.utf8))).hexadecimal
        return FileStore(folder: path, name: digest, limit: maximumValueBytes + KeyChainSeal.overhead)
    }

    /// Keeps other processes, and other stores on the same folder, away.
    private func locked(_ work: () throws(KeyChainFileError) -> Void) throws(KeyChainFileError) {
        let outcome = try files { () throws(FileStore.Failure) -> Result<Void, KeyChainFileError> in
            try FileStore(folder: path, name: "store", limit: 0).locked {
                Result { () throws(KeyChainFileError) in try work() }
            }
        }
        try outcome.get()
    }

    /// Runs what may fail on a file of the folder, or on the one that is named.
    func files<Result>(
        at path: String? = nil, _ work: () throws(FileStore.Failure) -> Result
    ) throws(KeyChainFileError) -> Result {
        do throws(FileStore.Failure) {
            return try work()
        } catch {
            throw KeyChainFileError(error, at: path ?? self.path)
        }
    }
}

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
