#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HoldfastTrust

/// Reads the files behind ``ChatSSLCertificate``.
enum CertificateFile {
    /// The largest file that is read. Certificates have one to four KiB; a file beyond this is no certificate.
    static let sizeLimit = 1 << 20

    static func name(of url: URL) -> String {
        url.isFileURL ? url.path : url.absoluteString
    }

    /// Reads a local file of at most ``sizeLimit`` bytes.
    static func read(_ url: URL) throws(CertificateError) -> [UInt8] {
        guard url.isFileURL else {
            throw CertificateError(.unreadableFile, "\(url.absoluteString) is not a local file.")
        }
        let data: Data
        do {
            let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? UInt64 ?? 0
            guard size <= sizeLimit else {
                throw CertificateError(
                    .tooLarge, "\(url.path) has \(size) bytes: no certificate is larger than \(sizeLimit).")
            }
            data = try Data(contentsOf: url)
        } catch let error as CertificateError {
            throw error
        } catch {
            throw CertificateError(.unreadableFile, "\(url.path) cannot be read. Is it missing?")
        }
        guard !data.isEmpty else { throw CertificateError(.empty, "\(url.path) is empty.") }
        return Array(data)
    }

    /// Whether the bytes are PEM: text that holds a header line. DER begins with 0x30, the digit zero in ASCII, so the
    /// first byte alone does not tell.
    static func isPEM(_ bytes: [UInt8]) -> Bool {
        !bytes.contains(0) && bytes.contains(Array("-----BEGIN ".utf8))
    }

    static func der(_ bytes: [UInt8], from url: URL) throws(CertificateError) -> CertificateView {
        guard !isPEM(bytes) else {
            throw CertificateError(
                .pemGiven, "\(url.path) is PEM, and DER is expected. Convert it: \(conversion(of: url))")
        }
        do throws(CertificateError) {
            return try CertificateView(der: bytes)
        } catch {
            throw CertificateError(error.code, "\(url.path): \(error.reason)", offset: error.offset)
        }
    }

    static func pem(_ bytes: [UInt8], from url: URL) throws(CertificateError) -> CertificateView {
        throw CertificateError(.malformedPEM, "TODO")
    }

    /// The command that turns a PEM file into the DER file that the documented initialiser wants.
    static func conversion(of url: URL) -> String {
        let output = url.deletingPathExtension().path + (url.pathExtension == "cer" ? ".der.cer" : ".cer")
        return "openssl x509 -in \(quoted(url.path)) -outform DER -out \(quoted(output))"
    }

    /// The command that prints the hash that the SDK's log shows for this file.
    static func hashCommand(for path: String) -> String {
        "openssl x509 -in \(quoted(path)) -noout -pubkey | openssl pkey -pubin -outform DER | "
            + "openssl dgst -sha256 -binary | base64"
    }

    private static func quoted(_ path: String) -> String {
        let safe = path.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "/._-".unicodeScalars.contains(scalar))
        }
        return safe ? path : "'" + path.replacing("'", with: "'\\''") + "'"
    }
}
