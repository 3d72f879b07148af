import HoldfastBase
import HoldfastSystem
import HoldfastTrust

/// The halt file of a roll-out. Blocks.
struct HaltFile: Sendable {
    /// Why the file cannot be read or written, in one sentence.
    struct Failure: Error, Hashable {
        var reason: String
    }

    private let output: ReportHaltOutput
    private let application: String
    /// Different for each process, because several collectors may share the folder.
    private let temporary: String

    /// Creates a file. Does not access the disk.
    init(_ output: ReportHaltOutput, application: String, entropy: UInt64) {
        self.output = output
        self.application = application
        temporary = "\(output.path).\(String(entropy, radix: 16)).new"
    }

    /// Checks that the folder exists, and that no other file is at the path: a mistake must not be found when the
    /// roll-out must stop.
    func check() throws(Failure) {
        guard DurableFile.exists(folder) else { throw failure("The folder does not exist.") }
        _ = try read()
    }

    /// Returns what is at the path. A file that is not a halt of the application is an error, so that a wrong path
    /// never replaces a bundle.
    func read() throws(Failure) -> HaltMachine.File {
        let bytes: [UInt8]
        do throws(RegularFile.Failure) {
            bytes = try RegularFile.read(output.path, limit: BundleHalt.maximumSize)
        } catch {
            switch error.kind {
            case .missing: return .missing
            case .empty: return .unusable
            case .irregular, .unreadable, .tooLarge: throw failure(error.reason)
            }
        }
        if let halt = output.verified(bytes, application: application) { return .halt(halt) }
        guard let other = try? BundleHalt(unverified: bytes), other.application == application else {
            throw failure(
                "It is not a halt of \(application), and is not overwritten: remove it, or choose another path.")
        }
        return .unusable
    }

    /// Replaces the file as a whole. Other users, such as the web server, may read it.
    func write(_ halt: BundleHalt) throws(Failure) {
        do throws(DurableFile.Failure) {
            try DurableFile.replace(
                output.path, temporary: temporary, mode: 0o644, flushesFolder: false, with: halt.bytes)
        } catch {
            throw failure("\(error.step.rawValue): \(error.error).")
        }
        DurableFile.flushFolder(folder)
    }

    private var folder: String {
        let parts = output.path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return parts.isEmpty ? "." : parts.joined(separator: "/") + "/"
    }

    /// Signs a halt.
    func sign(
        version: Int64, issued: Timestamp, notAfter: Timestamp, serial: Int64
    ) throws(Failure) -> BundleHalt {
        do throws(BundleError) {
            return try BundleHalt.sign(
                application: application, version: version, issued: issued, notAfter: notAfter, serial: serial,
                with: output.signer)
        } catch {
            throw failure("It cannot be signed: \(error.reason)")
        }
    }

    private func failure(_ reason: String) -> Failure {
        Failure(reason: Printable.text("The halt file \(output.path): \(reason)"))
    }
}
