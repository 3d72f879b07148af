import ChatCenter
import Foundation

// What seeds/000 shows: settings for the chat's network, with certificates from the app's bundle.

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

/// The same with another bundle than the test runner's, which has no such files.
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
