import HoldfastFormats
import HoldfastTestSupport
import HoldfastTrust
import Testing

@Suite("NSPinnedDomains") struct PinnedDomainsTests {
    private func document(_ domains: String) -> PolicyDocument {
        PolicyFormats.read("{\"NSAppTransportSecurity\": {\"NSPinnedDomains\": {\(domains)}}}", as: nil)
    }

    private func list(_ bytes: UInt8...) -> String {
        "[" + bytes.map { "{\"SPKI-SHA256-BASE64\": \"\(TestPins.text($0))\"}" }.joined(separator: ", ") + "]"
    }

    @Test func subdomainsReachOneLabel() throws {
        let document = document(
            "\"Example.com.\": {\"NSIncludesSubdomains\": true, \"NSPinnedCAIdentities\": \(list(1))}")
        #expect(document.format == .pinnedDomains)
        #expect(document.domains.first?.pattern?.depth == .apexAndOneLabel)
        #expect(try document.conclusion("example.com").contains("1 pin applies"))
        #expect(try document.conclusion("www.example.com").contains("1 pin "))
        #expect(try document.conclusion("a.www.example.com").contains("No rule covers"))
    }

    @Test func exactAndParentListsAddUp() throws {
        let document = document(
            "\"example.com\": {\"NSIncludesSubdomains\": true, \"NSPinnedCAIdentities\": \(list(1))}, "
                + "\"www.example.com\": {\"NSPinnedCAIdentities\": \(list(2))}")
        #expect(try document.conclusion("www.example.com").contains("2 pins"))
    }

    @Test func leafAndCAIdentityMustBothMatch() throws {
        let world = try World()
        func allows(_ leaf: UInt8?, _ ca: UInt8?, empty: String = "") throws -> Bool {
            func hash(_ known: UInt8?, _ identity: Identity) -> String {
                let text = known.map { TestPins.text($0) } ?? identity.view.spkiDigest.base64
                return "[{\"SPKI-SHA256-BASE64\": \"\(text)\"}]"
            }
            return try world.allows(
                document(
                    """
                    \"example.com\": {\"NSPinnedLeafIdentities\": \(hash(leaf, world.leaf)), \
                    \"NSPinnedCAIdentities\": \(hash(ca, world.root))}
                    """
                ))
        }
        #expect(try allows(nil, nil))
        #expect(try !allows(9, nil))
        #expect(try !allows(nil, 9))
    }

    @Test func emptyListRefusesAndTwoEmptyListsUnpin() throws {
        let world = try World()
        let leaf = "[{\"SPKI-SHA256-BASE64\": \"\(world.leaf.view.spkiDigest.base64)\"}]"
        let onlyEmpty = document("\"example.com\": {\"NSPinnedCAIdentities\": []}")
        #expect(onlyEmpty.codes(.warning) == ["empty-identities"])
        #expect(try !world.allows(onlyEmpty))
        #expect(
            try !world.allows(
                document("\"example.com\": {\"NSPinnedCAIdentities\": [], \"NSPinnedLeafIdentities\": \(leaf)}")))
        let both = document("\"example.com\": {\"NSPinnedCAIdentities\": [], \"NSPinnedLeafIdentities\": []}")
        #expect(both.codes(.warning) == ["unpinned"])
        #expect(try world.allows(both))
        #expect(try both.conclusion("example.com").contains("system verification decides"))
        #expect(try world.allows(document("\"example.com\": {\"NSPinnedLeafIdentities\": \(leaf)}")))
    }

    /// A CA identity never matches the server's own certificate, and a leaf identity matches only this certificate.
    @Test func identitiesMatchOnlyTheirPosition() throws {
        let world = try World()
        func allows(_ key: String, _ identity: Identity) throws -> Bool {
            let hash = identity.view.spkiDigest.base64
            return try world.allows(document("\"example.com\": {\"\(key)\": [{\"SPKI-SHA256-BASE64\": \"\(hash)\"}]}"))
        }
        #expect(try allows("NSPinnedCAIdentities", world.root))
        #expect(try !allows("NSPinnedCAIdentities", world.leaf))
        #expect(try allows("NSPinnedLeafIdentities", world.leaf))
        #expect(try !allows("NSPinnedLeafIdentities", world.root))
    }

    /// The pins of the parent are added to the empty list of an exact entry, because both form one list.
    @Test func parentFillsEmptyList() throws {
        let document = document(
            "\"example.com\": {\"NSIncludesSubdomains\": true, \"NSPinnedCAIdentities\": \(list(1))}, "
                + "\"www.example.com\": {\"NSPinnedCAIdentities\": []}")
        let rules = try document.policy()
        #expect(
            rules.explain(try CanonicalHost("www.example.com"), at: CertificateFactory.referenceTime).conclusion
                .contains("1 pin "))
    }

    @Test func refusesTwoSpellingsOfHost() {
        let document = document("\"example.com\": {\"NSPinnedCAIdentities\": \(list(1))}, \"EXAMPLE.com.\": {}")
        #expect(document.codes(.error) == ["duplicate-host"])
    }

    /// Two empty lists do not remove the requirements of a parent.
    @Test func twoEmptyListsBelowAPinnedParent() throws {
        let document = document(
            "\"example.com\": {\"NSIncludesSubdomains\": true, \"NSPinnedCAIdentities\": \(list(1))}, "
                + "\"www.example.com\": {\"NSPinnedCAIdentities\": [], \"NSPinnedLeafIdentities\": []}")
        #expect(try document.conclusion("www.example.com").contains("1 pin "))
    }

    @Test(arguments: [
        ("\"example.com\": {\"NSPinnedCAIdentities\": [{}]}", "missing-hash"),
        ("\"example.com\": {\"NSPinnedCAIdentities\": [{\"SPKI-SHA256-BASE64\": \"x\"}]}", "invalid-pin"),
        ("\"example.com\": {\"NSPinnedCAIdentities\": {}}", "wrong-type"),
        ("\"example.com\": []", "wrong-type"),
        ("\"exa mple.com\": {}", "invalid-host"),
        ("\"192.0.2.1\": {\"NSIncludesSubdomains\": true}", "subdomains-of-address"),
    ])
    func reportsSkippedEntries(_ domains: String, _ code: String) {
        #expect(document(domains).codes(.error) == [code])
        #expect(throws: PolicyError.self) { try document(domains).policy() }
    }
}
