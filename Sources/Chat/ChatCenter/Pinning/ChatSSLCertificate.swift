// `Bundle` is not in FoundationEssentials.
public import Foundation
public import HoldfastTrust

/// A certificate whose key ``SSLPinningConfig`` trusts.
public struct ChatSSLCertificate: Hashable, Sendable {
    /// The path of the file that the certificate was read from, for logs and errors.
    public let source: String
    /// The reason why the certificate could not be read; `nil` for a usable one.
    ///
    /// An unreadable certificate remains in the list and matches no server.
    public let loadError: CertificateError?

    package let view: CertificateView?

    /// The SHA-256 of the certificate's SubjectPublicKeyInfo, as openssl prints it; `nil` for an unreadable one.
    public var spkiDigest: SPKIDigest? { view?.spkiDigest }

    /// Reads a DER file with any extension. Never throws: ``loadError`` and the SDK's log contain the error.
    ///
    /// PEM is refused with `CertificateError.Code.pemGiven`, whose reason contains the command that converts the file.
    /// Use ``init(loading:)`` to read both formats and to get errors thrown.
    public init(contentsOf url: URL) {
        self.source = CertificateFile.name(of: url)
        do throws(CertificateError) {
            self.view = try CertificateLoading.certificate(inDERFileAtPath: try CertificateFile.path(of: url))
            self.loadError = nil
        } catch {
            self.view = nil
            self.loadError = error
        }
    }

    /// Reads a DER or PEM file that contains one certificate. Throws `CertificateError` for anything else.
    public init(loading url: URL) throws(CertificateError) {
        self.source = CertificateFile.name(of: url)
        self.view = try CertificateLoading.certificate(atPath: try CertificateFile.path(of: url))
        self.loadError = nil
    }

    /// Parses DER bytes. Throws `CertificateError` if they are not a certificate.
    public init(der: [UInt8]) throws(CertificateError) {
        let view = try CertificateView(der: der)
        self.source = view.spkiDigest.description
        self.view = view
        self.loadError = nil
    }
}

extension ChatSSLCertificate {
    /// Reads a DER or PEM file from a bundle. Throws ``ChatSSLCertificateError``, which names the resource.
    ///
    /// - Parameters:
    ///   - resource: The file's name *without* its extension, as `Bundle` expects it.
    ///   - fileExtension: The extension without its dot; `nil` for a file without one.
    ///   - bundle: The bundle that contains the file.
    public init(
        resource: String, withExtension fileExtension: String?, in bundle: Bundle = .main
    ) throws(ChatSSLCertificateError) {
        guard let url = bundle.url(forResource: resource, withExtension: fileExtension) else {
            throw ChatSSLCertificateError(
                missing: resource, withExtension: fileExtension, in: bundle.bundleURL.path)
        }
        do throws(CertificateError) {
            try self.init(loading: url)
        } catch {
            throw ChatSSLCertificateError(unreadable: error, resource: resource, withExtension: fileExtension)
        }
    }
}

/// Helpers for the files of ``ChatSSLCertificate``.
enum CertificateFile {
    static func name(of url: URL) -> String {
        url.isFileURL ? url.path : url.absoluteString
    }

    /// Returns the path of a local file. Throws for any other URL.
    static func path(of url: URL) throws(CertificateError) -> String {
        guard url.isFileURL else {
            throw CertificateError(.unreadableFile, "\(url.absoluteString) is not a local file. Use a file URL.")
        }
        return url.path
    }

    /// Returns the command that prints the hash that the SDK logs for a DER file.
    static func hashCommand(for path: String) -> String {
        "openssl x509 -in '\(path)' -inform DER -noout -pubkey | openssl pkey -pubin -outform DER | "
            + "openssl dgst -sha256 -binary | base64"
    }
}

extension ChatSSLCertificate {
    /// Returns the pin of the certificate's key. Throws the error that occurred when the certificate was read.
    public func pin() throws(CertificateError) -> SPKIDigest { try readable().spkiDigest }

    /// Returns the certificate in DER, for interfaces that take `Data`. Throws the error that occurred when it was
    /// read.
    public func derData() throws(CertificateError) -> Data { Data(try readable().der) }

    private func readable() throws(CertificateError) -> CertificateView {
        guard let view else {
            throw loadError ?? CertificateError(.notACertificate, "The certificate \(source) could not be read.")
        }
        return view
    }
}

extension PinSet {
    /// Pins the keys of certificates. Throws `CertificateError` if one of them could not be read.
    public init(keysOf certificates: [ChatSSLCertificate]) throws(CertificateError) {
        self.init(keys: try certificates.map { certificate throws(CertificateError) in try certificate.pin() })
    }
}

extension PublicKeyPinningEvaluator {
    /// Pins the keys of certificates. Throws `CertificateError` if one of them could not be read.
    public init(keysOf certificates: [ChatSSLCertificate]) throws(CertificateError) {
        self.init(keys: try certificates.map { certificate throws(CertificateError) in try certificate.pin() })
    }
}

extension CertificatePinningEvaluator {
    /// Pins whole certificates. Throws `CertificateError` if one of them could not be read.
    public init(pinning certificates: [ChatSSLCertificate]) throws(CertificateError) {
        let pinned = try certificates.map { certificate throws(CertificateError) in try certificate.derData() }
        self.init(pinnedCertificates: Set(pinned))
    }
}
