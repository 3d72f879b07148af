import HoldfastTrust

/// Caches certificates by their PEM text, because test vectors repeat their roots thousands of times.
///
/// The cache is bounded: a full cache is emptied, so that memory stays limited in a long run of different certificates.
struct CertificateShelf {
    private var certificates: [String: [CertificateView]] = [:]
    private var anchors: [[String]: TrustAnchors] = [:]
    /// The maximum number of cached texts. A full cache is emptied.
    private static let capacity = 4_096

    /// Returns the certificates in a PEM text. Throws one sentence about the text, without its name.
    mutating func certificates(in text: String) throws(CaseError) -> [CertificateView] {
        if let known = certificates[text] { return known }
        let read = try PEMText.certificates(in: text)
        if certificates.count >= CertificateShelf.capacity { certificates.removeAll(keepingCapacity: true) }
        certificates[text] = read
        return read
    }

    /// Returns all certificates of a list. The error's sentence names the element.
    mutating func certificates(in texts: [String], named name: String) throws(CaseError) -> [CertificateView] {
        var all: [CertificateView] = []
        for (index, text) in texts.enumerated() {
            do throws(CaseError) {
                all += try certificates(in: text)
            } catch {
                throw CaseError("\(name)[\(index)] \(error.sentence)")
            }
        }
        return all
    }

    /// Returns what a server presents. Text that is not a certificate counts as an unreadable one, so this never fails.
    mutating func presented(_ texts: [String]) -> PresentedChain {
        var views: [CertificateView] = []
        for text in texts {
            guard let read = try? certificates(in: text) else {
                return PresentedChain(der: texts.flatMap(PEMText.presented))
            }
            views += read
        }
        return PresentedChain(views)
    }

    /// Returns anchors, indexed once for each list of texts.
    mutating func anchors(_ texts: [String]) throws(CaseError) -> TrustAnchors {
        if let known = anchors[texts] { return known }
        let made = TrustAnchors.only(try certificates(in: texts, named: "anchors"))
        if anchors.count >= CertificateShelf.capacity { anchors.removeAll(keepingCapacity: true) }
        anchors[texts] = made
        return made
    }
}

/// Reads certificates from PEM text.
enum PEMText {
    /// Returns the certificates of a text, at least one, in order. Throws one sentence about the text, without its
    /// name.
    static func certificates(in text: String) throws(CaseError) -> [CertificateView] {
        let bytes = Array(text.utf8)
        guard PEMReader.isPEM(bytes) else { throw CaseError("is not PEM") }
        do throws(CertificateError) {
            return try CertificateLoading.certificates(in: bytes)
        } catch {
            throw CaseError("cannot be read: \(error.reason)")
        }
    }

    /// Returns the bytes that a server sent: those of each block of the text, or the text itself if it has no block.
    static func presented(_ text: String) -> [[UInt8]] {
        let bytes = Array(text.utf8)
        guard let blocks = try? PEMReader.blocks(in: bytes), !blocks.isEmpty else { return [bytes] }
        return blocks.map(\.der)
    }
}
