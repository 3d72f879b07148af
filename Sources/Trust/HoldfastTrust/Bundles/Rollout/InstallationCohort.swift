import HoldfastBase
import HoldfastSystem

/// The random identity of an installation, from which it computes whether a stage of a roll-out covers it.
///
/// The 16 bytes are stored on the device and never sent. Nobody else can compute the position of an installation, so a
/// signed bundle cannot be aimed at one person.
public struct InstallationCohort: Hashable, Sendable {
    /// The number of random bytes.
    public static let size = 16

    /// The random bytes.
    let bytes: [UInt8]

    /// Creates an identity. Returns `nil` unless there are ``size`` bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == InstallationCohort.size else { return nil }
        self.bytes = bytes
    }

    /// Creates a random identity.
    public init(using generator: inout some RandomNumberGenerator) {
        let halves: [UInt64] = [generator.next(), generator.next()]
        bytes = halves.flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (8 * UInt64($0))) } }
    }

    /// Returns the position of the installation in the roll-out of a version, from 0 to 9,999.
    ///
    /// A stage with the share `n` covers the positions below `n`. The positions are distributed evenly, do not change,
    /// and are independent for each application and version: no installation is always among the first.
    public func position(for application: String, version: Int64) -> Int {
        var message = Array("holdfast rollout cohort, version 1\n".utf8) + bytes
        let name = Array(application.utf8)
        for number in [UInt64(name.count), UInt64(bitPattern: version)] {
            message += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
        }
        message += name
        let number = SHA256Hash(hashing: message).bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        // The remainder of 64 random bits: no position is more likely than another by more than 1 in 10^15.
        return Int(number % UInt64(BundleRollout.Stage.wholeShare))
    }

    /// Reads the identity that is stored in a folder. If there is none, creates one and stores it. Blocks.
    ///
    /// The requirements for the folder are those of ``BundleFile``. Two processes of an app get the same identity. An
    /// unusable file is replaced.
    ///
    /// - Throws: ``BundleError`` with the code `storage`.
    public static func stored(
        in folder: String, name: String = "installation.cohort", using generator: inout some RandomNumberGenerator
    ) throws(BundleError) -> InstallationCohort {
        let store = FileStore(folder: folder, name: name, limit: size)
        let fresh = InstallationCohort(using: &generator)
        do throws(FileStore.Failure) {
            return try store.locked { () throws(FileStore.Failure) -> InstallationCohort in
                if let known = try usable(store).flatMap({ InstallationCohort($0) }) { return known }
                try store.save(fresh.bytes)
                return fresh
            }
        } catch {
            throw BundleError(
                .storage,
                "The installation's cohort in \(Printable.text(folder)) cannot be kept: \(error.reason).")
        }
    }

    /// Returns the contents of the file, or `nil` if the file is missing or may be replaced.
    private static func usable(_ store: FileStore) throws(FileStore.Failure) -> [UInt8]? {
        do throws(FileStore.Failure) { return try store.load() } catch {
            if error.kind == .system { throw error }
            return nil
        }
    }
}
