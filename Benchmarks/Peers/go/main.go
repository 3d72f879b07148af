// A pinned client with Go's net/http, for HTTP/1.1 or HTTP/2. ClientBench runs it in a separate process for comparison with Holdfast.
// Prints the number of requests and the duration in seconds.
package main

import (
	"bytes"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	url := flag.String("url", "", "the URL to request")
	root := flag.String("root", "", "the root certificate, a PEM file")
	pin := flag.String("pin", "", "the SHA-256 of the leaf's SubjectPublicKeyInfo, hexadecimal")
	concurrency := flag.Int("concurrency", 1, "the number of concurrent requests")
	seconds := flag.Float64("seconds", 1, "the duration in seconds")
	http2 := flag.String("http2", "false", "whether to use HTTP/2")
	flag.Parse()

	pem, err := os.ReadFile(*root)
	check(err)
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		check(errors.New("the file of -root contains no certificate"))
	}
	wanted, err := hex.DecodeString(*pin)
	check(err)

	client := &http.Client{
		Timeout: 60 * time.Second,
		Transport: &http.Transport{
			MaxIdleConnsPerHost: *concurrency,
			MaxConnsPerHost:     *concurrency,
			ForceAttemptHTTP2:   *http2 == "true",
			TLSClientConfig: &tls.Config{
				RootCAs: roots,
				// Called after Go's own verification.
				VerifyPeerCertificate: func(_ [][]byte, chains [][]*x509.Certificate) error {
					for _, chain := range chains {
						for _, certificate := range chain {
							sum := sha256.Sum256(certificate.RawSubjectPublicKeyInfo)
							if bytes.Equal(sum[:], wanted) {
								return nil
							}
						}
					}
					return errors.New("the pin does not match")
				},
			},
		},
	}

	var requests int64
	var group sync.WaitGroup
	start := time.Now()
	end := start.Add(time.Duration(*seconds * float64(time.Second)))
	for i := 0; i < *concurrency; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for time.Now().Before(end) {
				response, err := client.Get(*url)
				check(err)
				body, err := io.ReadAll(response.Body)
				check(err)
				response.Body.Close()
				if len(body) != 200 {
					check(errors.New("the response has a wrong body"))
				}
				atomic.AddInt64(&requests, 1)
			}
		}()
	}
	group.Wait()
	fmt.Printf("%d %f\n", requests, time.Since(start).Seconds())
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
