import ChatCenter
import Foundation
import HoldfastTransport
import HoldfastTrust

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of docs/embed-chat.md.
struct EmbedChatSnippets {
    func sample2(transport: ChatTransportConfig, policy: PinningPolicy, reporter: PinFailureReporter) async throws {
        var config = ChatConfig(transportConfig: transport)
        config.networkConfig.sslPinning = SSLPinningConfig(policy: policy)
        config.networkConfig.sslPinning.trustEventSink = reporter          // verdicts, for reports of failed pins
    }

    func sample3(config: inout ChatConfig, policy: PinningPolicy, newPolicy: PinningPolicy, state: BundleState, stateFolder: String) async throws {
        let policies = PolicyHolder(policy)
        config.networkConfig.sslPinning = SSLPinningConfig(policies: policies)
        policies.replace(with: newPolicy)

        let bundles = BundleHolder(state, file: BundleFile(folder: stateFolder))     // signed bundles, see bundles.md
        try? bundles.restore(at: TrustClock.system.now())
        config.networkConfig.sslPinning = SSLPinningConfig(bundles: bundles)
        let fetcher = PinBundleFetcher(bundles, configuration: .init(url: "https://pins.example.com/shop.bundle", folder: stateFolder))
    }
}
