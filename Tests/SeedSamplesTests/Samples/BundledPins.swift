import ChatCenter
import Foundation

// The example of seeds/000: network settings of the chat with certificates from the app's bundle.

func makeDefaultNetworkSettings() -> ChatNetworkConfig {
    let settings = ChatNetworkConfig()
    return settings
}

func makePinnedNetworkSettings() -> ChatNetworkConfig {
    var settings = ChatNetworkConfig()
    if let current = Bundle.main.url(forResource: "current_server", withExtension: "cer"),
        let next = Bundle.main.url(forResource: "next_server", withExtension: "cer")
    {
        settings.sslPinning.trustedCertificates = [
            ChatSSLCertificate(contentsOf: current), ChatSSLCertificate(contentsOf: next),
        ]
    }
    return settings
}

/// The same settings with a different bundle, because the test runner's bundle has no such files.
func makePinnedNetworkSettings(from bundle: Bundle) -> ChatNetworkConfig {
    var settings = ChatNetworkConfig()
    if let current = bundle.url(forResource: "current_server", withExtension: "cer"),
        let next = bundle.url(forResource: "next_server", withExtension: "cer")
    {
        settings.sslPinning.trustedCertificates = [
            ChatSSLCertificate(contentsOf: current), ChatSSLCertificate(contentsOf: next),
        ]
    }
    return settings
}
