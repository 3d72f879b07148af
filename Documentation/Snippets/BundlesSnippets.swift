import Foundation
import HoldfastNetworking
import HoldfastTransport
import HoldfastTrust

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of docs/bundles.md and Sources/Trust/HoldfastTrust/Documentation.docc/Staged-Roll-Outs.md.
struct BundlesSnippets {
    func sample1(policy: PinningPolicy, signingKeys: [BundleKey], stateFolder: String, now: Timestamp, fetched: [UInt8]) async throws {
        // signingKeys: [BundleKey], made of the public keys that `bundle keygen` wrote
        let state = BundleState(embedded: policy, version: 12, keys: signingKeys, application: "com.example.shop")
        let bundles = BundleHolder(state, file: BundleFile(folder: stateFolder))
        try? bundles.restore(at: now)                                   // at launch; after an error the embedded policy applies
        let trust = TrustContext.policies(bundles.policies)             // for the clients
        try bundles.offer(fetched, at: now)                             // for each fetched bundle
        let transport = HTTPClientTransport(configuration: TransportConfiguration(trust: trust))
    }

    func sample2(policy: PinningPolicy, signingKeys: [BundleKey], haltKeys: [BundleHaltKey], timestampKeys: [BundleTimestampKey], stateFolder: String) async throws {
        // haltKeys, timestampKeys: [BundleHaltKey], [BundleTimestampKey], from keygen --role halt and --role timestamp
        var random = SystemRandomNumberGenerator()
        let cohort = try? InstallationCohort.stored(in: stateFolder, using: &random)
        let settings = RolloutSettings(
            participant: RolloutParticipant(cohort: cohort, appVersion: AppVersion("2.4")),
            haltKeys: haltKeys, timestampKeys: timestampKeys)
        let state = BundleState(
            embedded: policy, version: 12, keys: signingKeys, application: "com.example.shop", rollout: settings)
    }

    func sample3(bundles: BundleHolder, stateFolder: String) async throws {
        let fetcher = PinBundleFetcher(bundles, configuration: .init(url: "https://pins.example.com/shop.bundle", folder: stateFolder))
        await fetcher.run()             // in a task of its own, for the lifetime of the app
        try await fetcher.fetchNow()    // or once, now
        for await event in fetcher.events { print(event) }
    }
}
