// Not compiled here: Android applies res/xml/network_security_config.xml to each connection of the app.
import java.net.URL
import javax.net.ssl.HttpsURLConnection

/** A client of a shop with the pins of network_security_config.xml. */
class ShopClient {
    fun status(url: URL): Int {
        val connection = url.openConnection() as HttpsURLConnection
        try {
            return connection.responseCode
        } finally {
            connection.disconnect()
        }
    }
}
