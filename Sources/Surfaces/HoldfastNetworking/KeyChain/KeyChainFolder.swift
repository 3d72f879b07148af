import Crypto
import Foundation
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
        let digest = SHA256.hash(data: Data(name.utf8)).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        return FileStore(folder: path, name: digest.joined(), limit: maximumValueBytes + KeyChainSeal.overhead)
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
