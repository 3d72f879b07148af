// Not compiled here: OkHttp needs a Java virtual machine.
import okhttp3.CertificatePinner
import okhttp3.OkHttpClient
import okhttp3.Request

/** A client of a shop with pinned keys. */
class ShopClient(pattern: String, pins: List<String>) {
    private val pinner = CertificatePinner.Builder().add(pattern, *pins.toTypedArray()).build()
    private val client = OkHttpClient.Builder().certificatePinner(pinner).build()

    fun status(url: String): Int {
        val request = Request.Builder().url(url).build()
        return client.newCall(request).execute().use { it.code }
    }
}
